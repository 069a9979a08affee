import { leavesNothing } from "../../leaves-nothing.ts";
import type { Scenario } from "../../scenario.ts";

/** A client ends, in whatever way: its agents end as well. */
export const endedClients: readonly Scenario[] = [
  leavesNothing(
    "nothing is left when the client is killed by SIGKILL",
    [],
    (program) => program.kill("SIGKILL"),
    "SIGKILL",
  ),
  leavesNothing(
    "nothing is left when the client is ended by SIGTERM",
    [],
    (program) => program.kill("SIGTERM"),
    "SIGTERM",
  ),
  leavesNothing(
    "nothing is left when the client is ended by SIGINT",
    [],
    (program) => program.kill("SIGINT"),
    "SIGINT",
  ),
  leavesNothing("nothing is left when the client calls exit", ["--exit"], (program) => program.write("now"), 5),
  leavesNothing("nothing is left when the client throws", ["--throw"], (program) => program.write("now"), 1),
];
