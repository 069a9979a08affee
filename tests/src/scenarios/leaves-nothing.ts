import { eventually, expectEqual } from "./check.ts";
import { pidsIn } from "./pids.ts";
import { isAlive, join, programOn, RunningProgram } from "./platform.ts";
import type { Scenario } from "./scenario.ts";

/** A client that is ended in some way must take its agent, its terminals and their helpers along. */
export function leavesNothing(
  name: string,
  flags: readonly string[],
  end: (program: RunningProgram) => void,
  status: number | string,
): Scenario {
  return {
    name,
    async run({ runtimeName, directory }) {
      const pidFile = join(directory, "pids");
      const program = new RunningProgram(programOn(runtimeName, "client", ["--pids", pidFile, ...flags]));
      try {
        await eventually(() => program.lines.length > 0, "the client has started everything");
        const pids = [...(await pidsIn(pidFile)), ...(program.lines[0] ?? "").split(" ").map(Number)];
        expectEqual(pids.filter(isAlive), pids, "processes before");
        expectEqual(pids.length, 5, "number of processes");
        end(program);
        expectEqual(await program.ended, status, "exit status of the client");
        await eventually(() => !pids.some(isAlive), "nothing is left");
      } finally {
        // A scenario that failed leaves nothing either.
        if (isAlive(program.pid)) program.kill("SIGKILL");
      }
    },
  };
}
