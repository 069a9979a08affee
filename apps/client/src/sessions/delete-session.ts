import type { RunCommand } from "../cli/command.ts";
import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import { type ParsedOptions, parseOptions } from "../cli/options.ts";
import { startTimeoutOf } from "../cli/option-values.ts";
import type { Streams } from "../cli/streams.ts";
import { findSession } from "./find-session.ts";
import { SessionStore } from "./session-store.ts";
import { type NamedSession } from "./named-session.ts";
import { lockSession } from "./session-lock.ts";
import { deleteSpec } from "./sessions-spec.ts";

type Values = ParsedOptions<typeof deleteSpec.options>["values"];

export const run: RunCommand = async (args, streams) => {
  const { values, positionals } = parseOptions(args, deleteSpec.options);
  const store = new SessionStore(streams.env);
  const session = findSession(store, positionals, values.cwd);
  const lock = lockSession(store.folderOf(session.cwd, session.name));
  if ("heldBy" in lock) {
    const message = `The session '${session.name}' is in use by the process ${lock.heldBy}`;
    throw new ProgramFailure(message, ExitCode.failure, "Wait until it has ended, then delete it");
  }
  try {
    const atAgent = values.local ? "" : await deleteAtAgent(session, values, streams);
    store.remove(session);
    streams.output.write(`Deleted ${session.name}${atAgent}\n`);
    return ExitCode.endTurn;
  } finally {
    lock.release();
  }
};

/** Asks the agent to delete the session, too; returns what became of that. */
async function deleteAtAgent(
  { agent, cwd, sessionId }: NamedSession,
  values: Values,
  streams: Streams,
): Promise<string> {
  const [{ resolveKnown }, { withAgent }] = await Promise.all([
    import("../agents/resolve-agent.ts"),
    import("../agents/with-agent.ts"),
  ]);
  const place = { cwd, registry: values.registry, trustProject: values["trust-project"] };
  try {
    const settings = await resolveKnown(agent, place, streams);
    return await withAgent(settings, startTimeoutOf(values["start-timeout"]), async (connected) => {
      if (!connected.can.delete) return " here; the agent cannot delete sessions";
      await connected.deleteSession(sessionId);
      return ", also at the agent";
    });
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    // It is gone there already.
    if (error.exitCode === ExitCode.noSuchSession) return " here; the agent had it no longer";
    const advice = "Nothing is deleted. With --local the session is forgotten here without the agent";
    const { message, exitCode, details } = error;
    throw ProgramFailure.of({ message, exitCode, advice, details }, error);
  }
}
