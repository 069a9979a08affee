// An agent that says what a test wants, true or not: `scripted-agent.ts <JSON>`, by method the lines that it writes when it
// receives one. `"$id"` stands for the id of the request. It writes them in one piece.
import process from "node:process";
import { createInterface } from "node:readline";

const [script = "{}"] = process.argv.slice(2);
const lines = JSON.parse(script) as Readonly<Record<string, readonly unknown[]>>;

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line) as { readonly id?: unknown; readonly method?: string };
  const said = lines[method ?? "answer"] ?? [];
  const text = said.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join("");
  process.stdout.write(text.replaceAll('"$id"', JSON.stringify(id)));
  if (text.includes('"$exit"')) process.exit(3);
}
