import { realpathSync } from "node:fs";

import type { Environment } from "../cli/streams.ts";
import type { AgentSelection } from "../agents/agent-selection.ts";
import { behindHub } from "../agents/through-hub.ts";
import { CommandLineError, ExitCode, ProgramFailure } from "../cli/exit.ts";
import { directoryOf } from "../cli/option-values.ts";
import { isSameAgent, type NamedSession } from "./named-session.ts";
import { SessionStore } from "./session-store.ts";

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
  const named = store.find(directory, name);
  if (named !== undefined) return named;
  const called = store.list().filter((one) => one.name === name || one.sessionId === name);
  const here = called.find((one) => one.cwd === directory);
  if (here !== undefined) return here;
  const [elsewhere] = called;
  const advice =
    elsewhere === undefined
      ? "acp sessions list shows the sessions of a directory"
      : `There is one in another directory: use --cwd ${elsewhere.cwd}`;
  throw new ProgramFailure(`There is no session '${name}' in ${directory}`, ExitCode.noSuchSession, advice);
}

/** The sessions of a directory, the latest first: those of one agent, if the user has chosen one. */
export function sessionsHere(
  { cwd, name, command: [program, ...args] = [], hub }: AgentSelection,
  store: SessionStore,
): readonly NamedSession[] {
  const here = realpathSync(cwd);
  const chosen = { name, command: program ?? "", args };
  const isAny = name === undefined && program === undefined;
  const isChosen = ({ agent }: NamedSession): boolean => {
    const wanted = [hub === true ? undefined : agent, behindHub(agent)];
    return wanted.some((one) => one !== undefined && (isAny || isSameAgent(one, chosen)));
  };
  return store.list().filter((one) => one.cwd === here && isChosen(one));
}

/**
 * The session that was used last.
 *
 * @throws {ProgramFailure} if there is none.
 */
export function lastSession(selection: AgentSelection, env: Environment): NamedSession {
  const [last] = sessionsHere(selection, new SessionStore(env));
  if (last !== undefined) return last;
  const ofAgent = selection.name === undefined && selection.command === undefined ? "" : " of this agent";
  throw new ProgramFailure(
    `There is no session${ofAgent} to continue in ${selection.cwd}`,
    ExitCode.noSuchSession,
    "acp sessions list --all shows those of other directories; without --continue, a new one begins",
  );
}
