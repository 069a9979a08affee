// A driver: it stands in for a client with windows, starts it, and tells what it shows.
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const client = fileURLToPath(new URL("mutant-client.mjs", import.meta.url));
const child = spawn(process.execPath, [client, "-", ...process.argv.slice(2)], {
  stdio: ["pipe", "pipe", "inherit"],
  env: { ...process.env, ASKS: "1" },
});
child.stdout.setEncoding("utf8").on("data", (shown) => process.stdout.write(`${JSON.stringify({ shown })}\n`));
child.on("close", (code) => process.exit(code ?? 1));
process.stdout.write("A line that is no JSON is left out\n");

const orders = {
  prompt: (text) => child.stdin.write(`${text}\n`),
  cancel: () => child.kill("SIGINT"),
  answer: (option) => child.stdin.write(`answer ${option}\n`),
  close: () => child.stdin.end(),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const [word = ""] = line.split(" ", 1);
  orders[word]?.(line.slice(word.length + 1));
});
