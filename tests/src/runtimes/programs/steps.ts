/** Does what the JSON behind `--steps` says, one after the other, where there is no `sh` to do it. */
import { argument } from "../command-line.ts";
import { existsSync, process, spawnSleeper, writeFile } from "../platform.ts";

const steps: readonly (readonly [string, string?])[] = JSON.parse(argument("steps"));
const pids: number[] = [];

function write(stream: NodeJS.WriteStream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()));
}

for (const [step, value = ""] of steps) {
  if (step === "out") await write(process.stdout, value);
  if (step === "bytes") await write(process.stdout, Uint8Array.from(JSON.parse(value)));
  if (step === "much")
    for (let sent = 0; sent < Number(value); sent += 64_000) await write(process.stdout, "y\n".repeat(32_000));
  if (step === "stdin") {
    let text = "";
    for await (const chunk of process.stdin) text += String(chunk);
    await write(process.stdout, `[${text}]\n`);
  }
  if (step === "until") while (!existsSync(value)) await new Promise((resolve) => setTimeout(resolve, 50));
  if (step === "child") pids.push(spawnSleeper());
  if (step === "pids") await writeFile(value, [process.pid, ...pids].map((pid) => `${pid}\n`).join(""));
  if (step === "sleep") await new Promise(() => setInterval(() => {}, 60_000));
  if (step === "env") await write(process.stdout, process.env[value] ?? "");
  if (step === "pwd") await write(process.stdout, `${process.cwd()}\n`);
  if (step === "exit") process.exitCode = Number(value);
}
