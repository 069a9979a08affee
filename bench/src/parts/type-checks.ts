import { execFileSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { milliseconds } from "../report/table.ts";
import { spread } from "../run/statistics.ts";
import type { Part } from "./part.ts";

const compiler = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));
const projects = [
  { title: "@acp", folder: "toolkit" },
  { title: "official SDK", folder: "official" },
] as const;

/** How long a compiler takes over a small agent and client. */
export const typeChecks: Part = {
  name: "type-check",
  group: "size-of-code",
  async run({ rounds, quick }) {
    const times = projects.map((): number[] => []);
    for (let round = 0; round < (quick ? 1 : rounds); round++) {
      for (const [index, { folder }] of projects.entries()) {
        const project = fileURLToPath(new URL(`../../type-checks/${folder}/tsconfig.json`, import.meta.url));
        const start = performance.now();
        execFileSync(compiler, ["-p", project], {
          stdio: ["ignore", "inherit", "inherit"],
          shell: process.platform === "win32",
        });
        times[index]!.push(performance.now() - start);
      }
    }
    const figures = projects.map(({ title }, index) => ({ title, time: spread(times[index]!) }));
    return {
      title: "Type-checking a small agent and client, skipLibCheck on",
      head: ["", "median", "best"],
      rows: figures.map(({ title, time }) => [title, milliseconds(time.median), milliseconds(time.minimum)]),
      figures,
    };
  },
};
