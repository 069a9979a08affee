import { fileURLToPath } from "node:url";

import { commandOn, type RuntimeName } from "../support/runtimes.ts";
import type { Cell } from "./cell.ts";
import { judgeAgent } from "./judge.ts";
import { attackAgent } from "./raw/raw-client.ts";
import type { CellResult } from "./result.ts";

const program = fileURLToPath(new URL("programs/agent.js", import.meta.url));

/** Runs cells, each with a process of the toolkit's agent of its own, which has to end by itself. */
export async function runAgentCells(
  runtime: RuntimeName,
  cells: readonly Cell[],
  atATime: number,
  arrived: (result: CellResult) => void,
): Promise<void> {
  const left = [...cells];
  const work = async (): Promise<void> => {
    for (let cell = left.shift(); cell !== undefined; cell = left.shift()) {
      const { framing, version } = cell;
      const { command, args } = commandOn(runtime, program, [`--${framing}`, `--version-${version}`]);
      // As many at a time as there are workers.
      const { outcomes, problems } = await attackAgent(cell, command, args);
      arrived({ runtime, cell, problems: [...problems, ...judgeAgent(cell, outcomes)] });
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
}
