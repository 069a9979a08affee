import type { Journal, ListedSession } from "@acp/hub";
import { printableLine } from "@acp/render/text";

import { CommandLineError, ExitCode, ProgramFailure } from "../cli/exit.ts";
import type { Streams } from "../cli/streams.ts";
import { hubFolder } from "./hub-folder.ts";
import { journalUrl, openJournal } from "./open-journal.ts";

/** The session that the arguments name. */
export interface NamedSession {
  readonly session: string;
  readonly listed: ListedSession;
  readonly journal: Journal;
  /** The folder of the hub. */
  readonly folder: string;
}

interface Parsed {
  readonly values: { readonly folder?: string | undefined; readonly journal?: string | undefined };
  readonly positionals: readonly string[];
}

/** Does something with the session that the arguments name. Returns the exit code. */
export async function withSession(
  { values, positionals }: Parsed,
  streams: Streams,
  use: (named: NamedSession) => Promise<void>,
): Promise<number> {
  const [session, extra] = positionals;
  if (session === undefined || extra !== undefined)
    throw new CommandLineError("Name one session; acp hub ls lists them");
  const folder = hubFolder(values.folder, streams.env);
  const journal = await openJournal(folder, journalUrl(values.journal, streams.env));
  try {
    const listed = await journal.describe(session);
    if (listed === undefined) {
      const message = `The hub has no session ${printableLine(session)}`;
      throw new ProgramFailure(message, ExitCode.noSuchSession, "acp hub ls lists them");
    }
    await use({ session, listed, journal, folder });
    return ExitCode.endTurn;
  } finally {
    await journal.close();
  }
}
