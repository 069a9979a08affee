import { eventually, expectEqual } from "./check.ts";
import { pidsIn } from "./pids.ts";
import { endedBy, join, programOn, RunningProgram } from "./platform.ts";
import { isAlive } from "../support/is-alive.ts";
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
        const pids = [...(await pidsIn(pidFile, 3)), ...(await pidsIn(`${pidFile}-of-terminal`, 3))];
        expectEqual(pids.filter(isAlive), pids, "processes before");
        end(program);
        const killed = typeof status === "string" ? endedBy(status) : undefined;
        expectEqual(await program.ended, killed?.exitCode ?? status, "exit status of the client");
        await eventually(() => !pids.some(isAlive), "nothing is left");
      } finally {
        // A scenario that failed leaves nothing either.
        if (isAlive(program.pid)) program.kill("SIGKILL");
      }
    },
  };
}
