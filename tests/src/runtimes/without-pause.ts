import { expectTrue } from "./check.ts";
import { type Scenario, test } from "./scenario.ts";

/** By a transport: nobody waits for what it has to say. */
export const writesWithoutPause: Scenario = test(
  "a process that writes without a pause leaves others their turn, whether to stdout or to stderr",
  { except: ["windows"] },
  async ({ runtime }) => {
    for (const line of ["yes noise", "yes noise >&2"]) {
      const seen = { lines: 0, inTurn: 0, mostInTurn: 0 };
      const take = (): void => {
        seen.lines += 1;
        seen.inTurn += 1;
        seen.mostInTurn = Math.max(seen.mostInTurn, seen.inTurn);
      };
      const transport = await runtime.spawnTransport({ command: "sh", args: ["-c", line], onStderr: take });
      transport.start({ message: take, issue: () => {}, closed: () => {} });
      while (seen.lines < 10_000_000) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        seen.inTurn = 0;
      }
      await transport.close("now");
      expectTrue(seen.mostInTurn < 3_000_000, `others had their turn, but not for ${seen.mostInTurn} lines`);
    }
  },
);
