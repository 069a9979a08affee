import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { type ContestantName, titles } from "../contestants/contestants.ts";
import { megabytes } from "../report/table.ts";
import { agentProgram } from "../run/measure.ts";
import type { SleepMeasurement } from "../run/order.ts";
import { commandOn } from "../run/runtimes.ts";
import type { Part } from "./part.ts";

const run = promisify(execFile);
const program = fileURLToPath(new URL("../programs/sleep.js", import.meta.url));

/** Who holds whom up, when the client sleeps: memory must not grow with what is sent. */
export const backpressure: Part = {
  name: "sleeping-reader",
  group: "memory",
  async run({ runtime, quick }) {
    const counts = quick ? [1_000] : [10_000, 100_000, 400_000];
    const subjects: readonly (readonly [ContestantName, work: string, told: string])[] = [
      ["toolkit", "updates mixed", "each update awaited"],
      ["toolkit", "flood", "no update awaited"],
      ["official", "updates mixed", "each update awaited"],
    ];
    const figures: { readonly title: string; readonly peaks: readonly SleepMeasurement[] }[] = [];
    for (const [name, work, told] of subjects) {
      const peaks: SleepMeasurement[] = [];
      for (const count of counts) {
        const agent = commandOn(runtime, agentProgram, [name]);
        const [command = "", ...args] = commandOn(runtime, program, [name, JSON.stringify(agent), `${work} ${count}`]);
        const { stdout } = await run(command, args, { timeout: 300_000, killSignal: "SIGKILL" });
        peaks.push(JSON.parse(stdout) as SleepMeasurement);
      }
      figures.push({ title: `${titles[name]}, ${told}`, peaks });
    }
    return {
      title: "Peak memory while the client sleeps for 4 s: agent / client",
      head: ["", ...counts.map((count) => `${count.toLocaleString("en")} updates`)],
      rows: figures.map(({ title, peaks }) => [
        title,
        ...peaks.map(({ agentPeak, clientPeak }) => `${megabytes(agentPeak)} / ${megabytes(clientPeak)}`),
      ]),
      figures: { counts, subjects: figures },
    };
  },
};
