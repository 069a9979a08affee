import { at, type Message, MissingMessageError } from "@acp/testing";

import { CheckFailure, expectThat, type NewCheck, NotApplicable, weighing } from "../engine/check.ts";
import { quote } from "../engine/quote.ts";
import type { AgentCheck, AgentContext, OpenedAgent, StartedAgent } from "./agent-context.ts";

type Weigh = (check: NewCheck<AgentContext>) => AgentCheck;

/** A check of a rule with MUST. */
export const must: Weigh = weighing("agent", "must");

/** A check of a rule with SHOULD. */
export const should: Weigh = weighing("agent", "should");

/** A check of what real clients do, right or wrong. */
export const hostile: Weigh = weighing("agent", "hostile");

/** Waits for what the agent has to send. `otherwise` says what is wrong if it does not. */
export async function expectComes<T>(waited: PromiseLike<T>, otherwise: string): Promise<T> {
  try {
    return await waited;
  } catch (error) {
    if (error instanceof MissingMessageError) throw new CheckFailure(`${otherwise}. ${error.message}`);
    throw error;
  }
}

/** Options to wait longer than for other answers: for messages of some MiB, and for turns with tools or with a cancel. */
export function patient({ settings }: AgentContext): { readonly timeout: number } {
  return { timeout: 3 * settings.timeout };
}

/** Sends a request and waits for its answer, be it an error. */
export function answerOf({ peer }: Pick<StartedAgent, "peer">, method: string, params?: unknown): Promise<Message> {
  return expectComes(peer.call(method, params), `It did not answer ${method} with ${quote(params)}`);
}

/** The result of an answer, which must not be an error. */
export function resultOf({ result, error }: Message, what: string): unknown {
  expectThat(error === undefined, `It answered ${what} with the error ${quote(error)}`);
  return result;
}

/** Expects an answer to be an error, with this code if one is given. */
export function expectRefused({ result, error }: Message, what: string, code?: number): void {
  expectThat(error !== undefined && error !== null, `It answered ${what} with the result ${quote(result)}`);
  const given = at(error, "code");
  expectThat(code === undefined || given === code, `It answered ${what} with code ${quote(given)}, not ${code}`);
}

/** The params of a `session/new`. */
export function newSessionParams({ settings }: AgentContext, more: object = {}): object {
  return { cwd: settings.cwd, mcpServers: [], ...more };
}

/** Expects the agent to go on: it answers another `session/new`, be it with an error. */
export async function expectGoesOn(context: AgentContext, { peer }: StartedAgent, after: string): Promise<void> {
  await expectComes(peer.call("session/new", newSessionParams(context)), `After ${after} it answers no request`);
}

/** Does something to an agent that is initialized, and expects it to go on. */
export async function goesOnAfter(
  context: AgentContext,
  what: string,
  act: (client: StartedAgent) => unknown,
): Promise<void> {
  const { client } = await context.initialize();
  await act(client);
  await expectGoesOn(context, client, what);
}

/** The methods that version 1 advertises, and where. Version 2 has all of them but `delete` without asking. */
const advertised = {
  list: "agentCapabilities.sessionCapabilities.list",
  load: "agentCapabilities.loadSession",
  resume: "agentCapabilities.sessionCapabilities.resume",
  close: "agentCapabilities.sessionCapabilities.close",
  delete: "agentCapabilities.sessionCapabilities.delete",
};

/** Whether the agent has a method of sessions. */
export function hasMethod({ settings }: AgentContext, initialized: unknown, method: keyof typeof advertised): boolean {
  if (settings.protocol === 2 && method !== "delete") return true;
  const path = settings.protocol === 2 ? "capabilities.session.delete" : advertised[method];
  return Boolean(at(initialized, ...path.split(".")) ?? false);
}

/** Opens a session. Ends a check that is about methods of sessions which the agent does not have. */
export async function openedWith(
  context: AgentContext,
  ...methods: readonly (keyof typeof advertised)[]
): Promise<OpenedAgent> {
  const opened = await context.open();
  for (const method of methods) requireMethod(context, opened, method);
  return opened;
}

/** Ends a check that is about a method of sessions which the agent does not have. */
export function requireMethod(
  context: AgentContext,
  { initialized }: OpenedAgent,
  method: keyof typeof advertised,
): void {
  if (!hasMethod(context, initialized, method))
    throw new NotApplicable(`The agent does not advertise session/${method}`);
}

/** How version 1 and version 2 call the method that opens a session again with its history, and its params. */
export function loadOf(context: AgentContext, sessionId: string): readonly [method: string, params: object] {
  return context.settings.protocol === 1
    ? ["session/load", newSessionParams(context, { sessionId })]
    : ["session/resume", newSessionParams(context, { sessionId, replayFrom: { type: "start" } })];
}

/** A list in a message; an empty one for anything else. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}
