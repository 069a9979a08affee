import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { milliseconds } from "../report/table.ts";
import { commandOn } from "../run/runtimes.ts";
import { spread } from "../run/statistics.ts";
import type { Part } from "./part.ts";

const program = fileURLToPath(new URL("../programs/import.js", import.meta.url));
const subjects: readonly (readonly [title: string, ...modules: string[]])[] = [
  ["nothing"],
  ["@acp/core", "core"],
  ["@acp/core and the runtime's package", "core", "runtime"],
  ["official SDK", "official"],
];

/** What imports cost a fresh process. */
export const startup: Part = {
  name: "start-up",
  group: "start-up",
  async run({ runtime, rounds, quick }) {
    const times = subjects.map((): { importing: number; whole: number }[] => []);
    for (let round = 0; round < (quick ? 1 : rounds * 3); round++) {
      for (const [index, [, ...modules]] of subjects.entries()) {
        const [command = "", ...args] = commandOn(runtime, program, modules);
        const start = performance.now();
        const told = execFileSync(command, args, { encoding: "utf8" });
        times[index]!.push({ importing: Number(told), whole: performance.now() - start });
      }
    }
    const figures = subjects.map(([title], index) => ({
      title,
      importing: spread(times[index]!.map(({ importing }) => importing)),
      aboveNothing: spread(times[index]!.map(({ whole }, round) => whole - times[0]![round]!.whole)),
    }));
    return {
      title: "Imports in a fresh process",
      head: ["", "import, median", "best", "whole process above one that imports nothing, median"],
      rows: figures.map(({ title, importing, aboveNothing }) => [
        title,
        milliseconds(importing.median),
        milliseconds(importing.minimum),
        milliseconds(aboveNothing.median),
      ]),
      figures,
    };
  },
};
