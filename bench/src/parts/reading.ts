import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { megabytes, milliseconds } from "../report/table.ts";
import { agentProgram } from "../run/measure.ts";
import type { ReadingMeasurement, ReadingOrder } from "../run/order.ts";
import { commandOn } from "../run/runtimes.ts";
import { spread } from "../run/statistics.ts";
import type { Part } from "./part.ts";

const run = promisify(execFile);
const program = fileURLToPath(new URL("../programs/read.js", import.meta.url));

const readers = [
  { name: "iterator", title: "@acp, turn iterator", agent: "toolkit" },
  { name: "state", title: "@acp, state reducer", agent: "toolkit" },
  { name: "official", title: "official SDK, `nextUpdate`", agent: "official" },
] as const;

/** A whole session that had piled up, read at once: twice as much must take twice as long. */
export const reading: Part = {
  name: "reading",
  group: "growth",
  async run({ runtime, rounds, quick }) {
    const counts = quick ? [1_000] : [50_000, 100_000, 200_000];
    const figures: { readonly title: string; readonly times: number[]; readonly peak: number }[] = [];
    for (const { name, title, agent } of readers) {
      const times: number[] = [];
      let peak = 0;
      for (const count of counts) {
        const measured: number[] = [];
        // The official SDK's queue takes its time; the growth shows without seven rounds.
        for (let round = 0; round < (name === "official" ? 1 : Math.min(rounds, 3)); round++) {
          const order: ReadingOrder = { agent: commandOn(runtime, agentProgram, [agent]), count };
          const [command = "", ...args] = commandOn(runtime, program, [name, JSON.stringify(order)]);
          const { stdout } = await run(command, args, { timeout: 300_000, killSignal: "SIGKILL" });
          const found = JSON.parse(stdout) as ReadingMeasurement;
          measured.push(found.milliseconds);
          peak = Math.max(peak, found.peak);
        }
        times.push(spread(measured).median);
      }
      figures.push({ title, times, peak });
    }
    return {
      title: "Reading a session that had piled up",
      head: ["", ...counts.map((count) => `${count.toLocaleString("en")} updates`), "peak memory"],
      rows: figures.map(({ title, times, peak }) => [title, ...times.map(milliseconds), megabytes(peak)]),
      figures: { counts, readers: figures },
    };
  },
};
