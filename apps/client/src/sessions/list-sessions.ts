import { realpathSync } from "node:fs";

import { selectAgent } from "../agents/agent-selection.ts";
import { launchSettings } from "../agents/launch-settings.ts";
import { CommandLineError, ExitCode } from "../cli/exit.ts";
import type { RunCommand } from "../cli/command.ts";
import { directoryOf, startTimeoutOf } from "../cli/option-values.ts";
import { type ParsedOptions, parseOptions } from "../cli/options.ts";
import type { Streams } from "../cli/streams.ts";
import type { ListedSession } from "../protocol/agent.ts";
import { nameAgent, type NamedSession, subjectOf } from "./named-session.ts";
import { SessionStore } from "./session-store.ts";
import { listSpec } from "./sessions-spec.ts";
import { jsonText } from "../text/json-text.ts";
import { table } from "../text/table.ts";

type Values = ParsedOptions<typeof listSpec.options>["values"];

export const run: RunCommand = async (args, streams) => {
  const { values, positionals, rest } = parseOptions(args, listSpec.options);
  if (positionals[0] !== undefined)
    throw new CommandLineError(`Unexpected argument '${positionals[0]}'. Name the agent with --agent`);
  const cwd = directoryOf(values.cwd);
  const here = realpathSync(cwd);
  const store = new SessionStore(streams.env);
  const broken: string[] = [];
  const named = store
    .list((failure) => broken.push(failure.message))
    .filter((session) => values.all || session.cwd === here);
  for (const message of broken) streams.error.write(`acp sessions: ${message}\n`);
  if (values.names) {
    streams.output.write(named.map(({ name }) => `${name}\n`).join(""));
    return ExitCode.endTurn;
  }
  const asksAgent = values.agent !== undefined || rest !== undefined;
  const ofAgent = asksAgent ? await ofChosenAgent(values, rest, cwd, streams) : undefined;
  const text = values.json ? `${jsonText({ sessions: named, ofAgent })}\n` : listAll(named, ofAgent, values.all);
  streams.output.write(text);
  return ExitCode.endTurn;
};

function listAll(named: readonly NamedSession[], ofAgent: readonly ListedSession[] | undefined, all: boolean): string {
  const own = table(
    named.map((session) => [
      session.name,
      session.updatedAt.slice(0, 16).replace("T", " "),
      nameAgent(session.agent),
      ...(all ? [session.cwd] : []),
      subjectOf(session),
    ]),
  );
  const first = named.length === 0 ? `There are no sessions${all ? "" : " in this directory"}\n` : own;
  if (ofAgent === undefined) return first;
  const names = new Map(named.map(({ sessionId, name }) => [sessionId, name]));
  const rows = ofAgent.map(({ sessionId, title, updatedAt }) => [
    sessionId,
    updatedAt?.slice(0, 16).replace("T", " ") ?? "",
    names.get(sessionId) ?? "",
    title ?? "",
  ]);
  const second = rows.length === 0 ? "The agent has no sessions in this directory\n" : table(rows);
  return `${first}\nSessions of the agent:\n${second}`;
}

async function ofChosenAgent(
  values: Values,
  rest: readonly string[] | undefined,
  cwd: string,
  streams: Streams,
): Promise<readonly ListedSession[]> {
  const [{ resolveAgent }, { sessionsOfAgent }] = await Promise.all([
    import("../agents/resolve-agent.ts"),
    import("../agents/with-agent.ts"),
  ]);
  const settings = launchSettings(values, await resolveAgent(selectAgent(values, rest, cwd), streams));
  return sessionsOfAgent(settings, startTimeoutOf(values["start-timeout"]), cwd);
}
