import { setTimeout } from "node:timers/promises";
import { type Journal, processKeepers, processOfKeeper, type RunningKeeper } from "@acp/hub";
import { printableLine } from "@acp/render/text";

import type { RunCommand } from "../cli/command.ts";
import { CommandLineError, ExitCode, ProgramFailure } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import { hubFolder, keepersFolder } from "./hub-folder.ts";
import { stopHubSpec } from "./hub-spec.ts";
import { journalUrl, openJournal } from "./open-journal.ts";

/** How long a keeper may take to end its agent, in milliseconds. */
const longestEnd = 15_000;

/** Ends the agent of a session. */
export const run: RunCommand = (args, streams) =>
  endSession(args, streams, async () => {
    // The journal stays.
  });

/** Ends the agent of the session that the arguments name, and then does the rest. */
export async function endSession(
  args: Parameters<RunCommand>[0],
  streams: Parameters<RunCommand>[1],
  finish: (journal: Journal, session: string) => Promise<void>,
): Promise<number> {
  const { values, positionals } = parseOptions(args, stopHubSpec.options);
  const [session, extra] = positionals;
  if (session === undefined || extra !== undefined)
    throw new CommandLineError("Name one session; acp hub ls lists them");
  const folder = hubFolder(values.folder, streams.env);
  const journal = await openJournal(folder, journalUrl(values.journal, streams.env));
  const keepers = processKeepers({ command: [process.execPath], folder: keepersFolder(folder) });
  try {
    if ((await journal.describe(session)) === undefined)
      throw new ProgramFailure(
        `The hub has no session ${printableLine(session)}`,
        ExitCode.noSuchSession,
        "acp hub ls lists them",
      );
    const keeper = await keepers.find(session, () => {});
    if (keeper !== undefined) await (values.force ? kill(keeper, journal, session) : close(keeper));
    await finish(journal, session);
    return ExitCode.endTurn;
  } finally {
    await keepers.close();
    await journal.close();
  }
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
