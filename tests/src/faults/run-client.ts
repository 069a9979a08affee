import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { commandOn, type RuntimeName } from "../support/runtimes.ts";
import type { Cell } from "./cell.ts";
import { judgeClient } from "./judge.ts";
import { within } from "./outcome.ts";
import type { ClientJob, ClientReport } from "./programs/client.ts";
import type { CellResult } from "./result.ts";

const program = fileURLToPath(new URL("programs/client.js", import.meta.url));
const rawAgent = fileURLToPath(new URL("raw/raw-agent.js", import.meta.url));

/** Runs cells in one process of the toolkit's client, each with a raw agent of its own. */
export async function runClientCells(
  runtime: RuntimeName,
  cells: readonly Cell[],
  atATime: number,
  arrived: (result: CellResult) => void,
): Promise<readonly string[]> {
  const { command, args } = commandOn(runtime, program, []);
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  const problems: string[] = [];
  const ended = new Promise<number | string>((resolve) => {
    child.on("error", ({ message }) => resolve(message));
    child.on("close", (code, signal) => resolve(code ?? signal ?? "nothing"));
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => problems.push(`stderr: ${text.slice(0, 1_000)}`));
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify({ cells, command: process.execPath, args: [rawAgent], atATime } satisfies ClientJob));
  let missing = cells.length;
  const read = async (): Promise<void> => {
    for await (const line of createInterface({ input: child.stdout })) {
      const { cell, outcomes, left = [], problem } = parse(line);
      if (problem !== undefined) problems.push(problem);
      if (cell === undefined) continue;
      missing -= 1;
      const others = left.map((pid) => `The process ${pid} of the agent is still there`);
      arrived({ runtime, cell, problems: [...judgeClient(cell, outcomes ?? {}), ...others] });
      if (missing === 0) break;
    }
  };
  // Each of its promises has a limit of its own.
  await read();
  const exit = await within(ended);
  if (exit === "hangs") {
    problems.push("The client does not end by itself");
    child.kill("SIGKILL");
  } else if (exit !== 0) problems.push(`The client ended with ${exit}`);
  if (missing > 0) problems.push(`${missing} cells were not run`);
  return problems;
}

function parse(line: string): ClientReport {
  try {
    return JSON.parse(line) as ClientReport;
  } catch {
    return { problem: `stdout: ${line.slice(0, 1_000)}` };
  }
}
