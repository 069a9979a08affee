import { setTimeout } from "node:timers/promises";
import { type Journal, processKeepers, processOfKeeper, type RunningKeeper } from "@acp/hub";

import type { RunCommand } from "../cli/command.ts";
import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import { keepersFolder } from "./hub-folder.ts";
import { stopHubSpec } from "./hub-spec.ts";
import { withSession } from "./named-session.ts";

/** How long a keeper may take to end its agent, in milliseconds. */
const longestEnd = 15_000;

/** Ends the agent of a session. */
export const run: RunCommand = (args, streams) =>
  endSession(args, streams, async () => {
    // The journal stays.
  });

/** Ends the agent of the session that the arguments name, and then does the rest. */
export function endSession(
  args: Parameters<RunCommand>[0],
  streams: Parameters<RunCommand>[1],
  finish: (journal: Journal, session: string) => Promise<void>,
): Promise<number> {
  const parsed = parseOptions(args, stopHubSpec.options);
  return withSession(parsed, streams, async ({ session, journal, folder }) => {
    const keepers = processKeepers({ command: [process.execPath], folder: keepersFolder(folder) });
    try {
      const keeper = await keepers.find(session, () => {});
      if (keeper !== undefined) await (parsed.values.force ? kill(keeper, journal, session) : close(keeper));
      await finish(journal, session);
    } finally {
      await keepers.close();
    }
  });
}

async function close(keeper: RunningKeeper): Promise<void> {
  const late = setTimeout(longestEnd, "late" as const, { ref: false });
  if ((await Promise.race([keeper.close(), late])) !== "late") return;
  throw new ProgramFailure(
    `The keeper of the session does not answer within ${longestEnd / 1000} seconds`,
    ExitCode.failure,
    "--force kills it: a turn that runs is lost",
  );
}

/** Its agent ends with it. */
async function kill(keeper: RunningKeeper, journal: Journal, session: string): Promise<void> {
  const claim = await journal.claim(session, "acp hub stop", 0);
  const pid = claim !== undefined && "heldBy" in claim ? processOfKeeper(claim.heldBy) : undefined;
  if (pid !== undefined) process.kill(pid, "SIGKILL");
  await keeper.closed;
}
