import { realpathSync } from "node:fs";

import { CommandLineError } from "../cli/command-line-error.ts";
import { directoryOf } from "../cli/directory.ts";
import { ExitCode } from "../cli/exit-code.ts";
import { ProgramFailure } from "../cli/program-failure.ts";
import type { NamedSession } from "./named-session.ts";
import type { SessionStore } from "./session-store.ts";

/**
 * The session that the arguments name.
 *
 * @throws {CommandLineError} unless there is one name.
 * @throws {ProgramFailure} if there is no such session.
 */
export function findSession(store: SessionStore, [name, extra]: readonly string[], cwd: string): NamedSession {
  if (name === undefined)
    throw new CommandLineError("The name of the session is missing. acp sessions list shows them");
  if (extra !== undefined) throw new CommandLineError(`Unexpected argument '${extra}'. Give one name`);
  const directory = realpathSync(directoryOf(cwd));
  const session = store.find(directory, name);
  if (session !== undefined) return session;
  const elsewhere = store.list().find((one) => one.name === name);
  const advice =
    elsewhere === undefined
      ? "acp sessions list shows the sessions of a directory"
      : `There is one in another directory: use --cwd ${elsewhere.cwd}`;
  throw new ProgramFailure(`There is no session '${name}' in ${directory}`, ExitCode.noSuchSession, advice);
}
