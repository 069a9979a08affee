import { PassThrough } from "node:stream";

import { timeAgo } from "@acp/render";
import { cutLine, printableLine } from "@acp/render/text";

import type { AgentSelection } from "./agents/agent-selection.ts";
import type { NamedAgent } from "./agents/launch.ts";
import { resolveAgent, resolveKnown } from "./agents/resolve-agent.ts";
import { throughHub } from "./agents/through-hub.ts";
import { askLine } from "./agents/consent/consents.ts";
import { chat, userInterface } from "./chat.ts";
import { type ChatRequest, parseCommandLine } from "./chat/chat-options.ts";
import { resumeSpec } from "./chat/resume-spec.ts";
import type { RunCommand } from "./cli/command.ts";
import { CommandLineError, ExitCode, ProgramFailure } from "./cli/exit.ts";
import { parseOptions } from "./cli/options.ts";
import { isInteractive, type Streams } from "./cli/streams.ts";
import type { ListedSession } from "./protocol/agent.ts";
import { sessionsOfAgent } from "./agents/with-agent.ts";
import { findSession, sessionsHere } from "./sessions/find-session.ts";
import { agentOf, isSameAgent, nameAgent, type NamedSession, subjectOf } from "./sessions/named-session.ts";
import { SessionStore } from "./sessions/session-store.ts";
import type { ListEntry } from "./ui/questions/list-picker.ts";

/** How many agents are asked for their sessions, and how long one may take to start for that, in milliseconds. */
const asked = { agents: 5, startTimeout: 10_000 };

/** A session to go on in: one that has a name here, or one that only its agent knows. */
interface Choice {
  readonly agent: NamedAgent;
  readonly sessionId: string;
  readonly name?: string;
}

export const run: RunCommand = async (args, streams) => {
  const { name, request } = parse(args);
  const { selection } = request;
  const store = new SessionStore(streams.env);
  const here = sessionsHere(selection, store);
  const choice = name === undefined ? await choose(here, request, streams) : await find(name, store, request, streams);
  if (choice === undefined) return ExitCode.cancelled;
  if (choice.name !== undefined) return chat(request, { name: choice.name }, streams);
  return chat({ ...request, load: choice.sessionId }, { agent: choice.agent }, streams);
};

/** The name of the session, and the rest as the options of `acp` alone. */
function parse(args: readonly string[]): { readonly name: string | undefined; readonly request: ChatRequest } {
  const isName = (arg: string, index: number): boolean =>
    !arg.startsWith("-") && parseOptions(args.toSpliced(index, 1), resumeSpec.options).positionals.length === 0;
  const [name, extra] = parseOptions(args, resumeSpec.options).positionals;
  if (extra !== undefined) throw new CommandLineError(`Unexpected argument '${extra}'. Give one session`);
  const rest = name === undefined ? args : args.toSpliced(args.findIndex(isName), 1);
  return { name, request: parseCommandLine(rest) };
}

/** The session of this name or id: one that is remembered, else one of an agent that was used here. */
async function find(name: string, store: SessionStore, { selection }: ChatRequest, streams: Streams): Promise<Choice> {
  try {
    return findSession(store, [name], selection.cwd);
  } catch (error) {
    const chosen = await chosenAgent(selection, streams);
    if (chosen !== undefined) return { agent: chosen, sessionId: name };
    for (const agent of agentsOf(sessionsHere(selection, store), chosen)) {
      const sessions = await sessionsOf(agent, selection, streams);
      if (sessions.some(({ sessionId }) => sessionId === name)) return { agent, sessionId: name };
    }
    throw error;
  }
}

async function chosenAgent(selection: AgentSelection, streams: Streams): Promise<NamedAgent | undefined> {
  const { name, command: [program = "", ...args] = [], hub } = selection;
  if (name === undefined && program === "") return undefined;
  if (hub === true) return agentOf(throughHub(await resolveAgent(selection, streams)));
  return { name, command: program, args };
}

/** The agents of these sessions, each once, and the chosen one. */
function agentsOf(sessions: readonly NamedSession[], chosen: NamedAgent | undefined): readonly NamedAgent[] {
  const agents = [chosen ?? [], sessions.map(({ agent }) => agent)].flat(2);
  const isFirst = (agent: NamedAgent, index: number): boolean =>
    agents.findIndex((one) => isSameAgent(one, agent)) === index;
  return agents.filter(isFirst).slice(0, asked.agents);
}

/** The sessions of an agent; none if it cannot be asked without asking the user first, or has none. */
async function sessionsOf(
  agent: NamedAgent,
  selection: AgentSelection,
  { env }: Streams,
  quit?: AbortSignal,
): Promise<readonly ListedSession[]> {
  // Nobody is asked, and nothing is printed into the list.
  const silent: Streams = { input: new PassThrough(), output: new PassThrough(), error: new PassThrough(), env };
  const { cwd, registry, trustProject = false } = selection;
  try {
    const settings = await resolveKnown(agent, { cwd, registry, trustProject }, silent);
    return await sessionsOfAgent(settings, asked.startTimeout, cwd, quit);
  } catch {
    return [];
  }
}

function entryOf(
  session: Choice & Pick<NamedSession, "title" | "prompt">,
  facts: readonly string[],
): ListEntry<Choice> {
  return { value: session, label: subjectOf(session), detail: facts.filter((fact) => fact !== "").join(" · ") };
}

/** Lets the user choose a session. */
async function choose(
  here: readonly NamedSession[],
  request: ChatRequest,
  streams: Streams,
): Promise<Choice | undefined> {
  const { selection } = request;
  const own = here.map((session) =>
    entryOf(session, [nameAgent(session.agent), session.name, timeAgo(session.updatedAt, Date.now())]),
  );
  const agents = agentsOf(here, await chosenAgent(selection, streams));
  const nothing = new ProgramFailure(
    `There is no session to resume in ${selection.cwd}`,
    ExitCode.noSuchSession,
    "acp sessions list --all shows those of other directories",
  );
  const isPlain = userInterface(request, streams) === undefined;
  if (agents.length === 0 || (isPlain && own.length === 0)) throw nothing;
  const lines = own.map(({ label, detail = "" }, index) =>
    cutLine(`${index + 1}  ${printableLine(label)}  ${printableLine(detail)}`),
  );
  if (!isInteractive(streams))
    throw new CommandLineError("Which session? Name one: acp resume <name>", lines.join("\n"));
  if (isPlain) {
    const answer = await askLine(`${lines.join("\n")}\nYour choice [1-${own.length}]: `, streams);
    const chosen = own[Number(answer) - 1];
    if (chosen === undefined && answer !== "") throw new CommandLineError(`The list has no ${printableLine(answer)}`);
    return chosen?.value;
  }
  const { pick } = await import("./ui/pick.ts");
  const more = async (
    show: (entries: readonly ListEntry<Choice>[]) => void,
    signal: AbortSignal,
  ): Promise<undefined> => {
    const all: ListEntry<Choice>[] = [...own];
    for (const agent of agents) {
      const group = `Sessions of ${nameAgent(agent)}`;
      const sessions = await sessionsOf(agent, selection, streams, signal);
      for (const { sessionId, title, updatedAt } of sessions) {
        const isKnown = here.some((one) => one.sessionId === sessionId && isSameAgent(one.agent, agent));
        const facts = [sessionId, updatedAt == null ? "" : timeAgo(updatedAt, Date.now())];
        if (!isKnown) all.push({ ...entryOf({ agent, sessionId, title: title ?? sessionId }, facts), group });
      }
      show(all);
    }
  };
  return pick({ title: "Resume a session", enter: () => "resume", entries: own, more }, streams);
}
