import { compactSession } from "@acp/hub";

import type { RunCommand } from "../cli/command.ts";
import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import { compactHubSpec } from "./hub-spec.ts";
import { withSession } from "./named-session.ts";

/** Shortens the journal of a session that nobody keeps. */
export const run: RunCommand = (args, streams) =>
  withSession(parseOptions(args, compactHubSpec.options), streams, async ({ session, journal }) => {
    const done = await compactSession(journal, session);
    if (done === undefined) throw new ProgramFailure("The session was deleted meanwhile", ExitCode.noSuchSession);
    if ("heldBy" in done)
      throw new ProgramFailure(
        "The session is in use, and its keeper shortens the journal by itself",
        ExitCode.failure,
        `acp hub stop ${session} ends its agent first`,
      );
    streams.output.write(`${done.before} entries, now ${done.after}\n`);
  });
