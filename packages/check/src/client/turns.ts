import { contentLength, ndjson } from "@acp/framing";
import { at, type FakeAgentOptions, type Message, type Peer, type PermissionChoice, say, textAt } from "@acp/testing";

import { CheckFailure, expectThat, NotApplicable, NotReached } from "../engine/check.ts";
import type { ClientContext, ClientRun } from "./client-context.ts";

/** What the agent says at the end of a turn, to see that the client has gone on. */
export const lastText = "last4799";

/** Starts the client with an agent that follows a script, and waits until the agent has been prompted. */
export async function startTurn(
  context: ClientContext,
  ...play: Parameters<ClientContext["play"]>
): Promise<ClientRun> {
  const run = await context.play(...play);
  await run.prompted();
  return run;
}

/** What is done in the middle of a turn. */
export type TurnAct = (peer: Peer, sessionId: string) => Promise<unknown>;

/** Plays a turn in which something is done with the connection. Its end says {@link lastText}. */
export async function inTurn(context: ClientContext, act: TurnAct, options?: FakeAgentOptions): Promise<ClientRun> {
  let settle: (acted: Promise<unknown>) => void = () => {};
  const done = new Promise<unknown>((resolve) => {
    settle = resolve;
  });
  done.catch(() => {});
  const run = await context.play(async function* ({ sessionId }) {
    const acted = act(context.peer(), sessionId);
    settle(acted);
    await acted.catch(() => {});
    yield say(lastText);
  }, options);
  // An agent that is unlike others may be what keeps a client from going on.
  await (options === undefined ? run.prompted() : run.goesOn());
  await run.within(done, "In the turn");
  return run;
}

/** The same, to the end of the turn. */
export async function playTurn(context: ClientContext, act: TurnAct): Promise<void> {
  const run = await inTurn(context, act);
  await run.shows(lastText);
}

/** The same, where nothing may come of it: the client shows these texts, goes on, and ends well. */
export async function goesOnAfter(context: ClientContext, act: TurnAct, ...texts: readonly string[]): Promise<void> {
  const run = await inTurn(context, act);
  await run.shows(...texts, lastText);
  await run.endsWell();
}

/** Plays a turn of an agent that is unlike others in something: the client works with it, and ends well. */
export async function worksWith(context: ClientContext, options: FakeAgentOptions): Promise<void> {
  const run = await inTurn(context, async () => {}, options);
  await run.shows(lastText);
  await run.endsWell();
}

/** The least that an agent can advertise. */
export function bareCapabilities({ settings }: ClientContext): Readonly<Record<string, unknown>> {
  return settings.protocol === 2 ? { session: {} } : {};
}

/** An update that says a piece of a message. */
export function chunkOf({ settings }: ClientContext, text: string): object {
  const content = { type: "text", text };
  const of = settings.protocol === 2 ? { messageId: "message-1" } : {};
  return { sessionUpdate: "agent_message_chunk", ...of, content };
}

/** The announcement of a tool call. */
export function callOf({ settings }: ClientContext, call: object): object {
  return { sessionUpdate: settings.protocol === 2 ? "tool_call_update" : "tool_call", ...call };
}

/** Sends an update of a session. */
export function sendUpdate(peer: Peer, sessionId: string, update: object): void {
  peer.notify("session/update", { sessionId, update });
}

/** A notification that says a piece of a message. */
export function saying(context: ClientContext, sessionId: string, text: string): object {
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update: chunkOf(context, text) } };
}

/** Messages as they are on the wire. */
export function bytesOf({ settings }: ClientContext, ...messages: readonly object[]): Uint8Array {
  const framing = settings.framing === "content-length" ? contentLength : ndjson;
  return framing.encode(messages.map((message) => JSON.stringify(message)));
}

/** What has to do with lines makes sense only where messages are lines. */
export function onlyForLines({ settings }: ClientContext): void {
  if (settings.framing !== "ndjson") throw new NotApplicable("With Content-Length, messages are no lines");
}

/** How often a text is in another. */
function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Fails unless a text is shown as often as another one, which was said once. */
export function expectAsOften(run: ClientRun, text: string, like: string): void {
  const shown = run.program.shown();
  const count = countOf(shown, text);
  const usual = countOf(shown, like);
  expectThat(
    count <= usual,
    `${JSON.stringify(text)} was said once, and shown ${count} times; other text ${usual} times`,
  );
}

/** The client's capabilities, as its initialize tells them. */
export function capabilitiesOf(peer: Peer): unknown {
  const [first] = peer.calls("initialize");
  return at(first, "params", "clientCapabilities") ?? at(first, "params", "capabilities");
}

/** The code of an error answer; `undefined` if it is a result. */
export function codeOf(answer: Message): unknown {
  return at(answer, "error", "code");
}

/** The options of most questions. */
export const choices: readonly PermissionChoice[] = [
  { optionId: "let-4711", name: "Allow", kind: "allow_once" },
  { optionId: "no-4712", name: "Reject", kind: "reject_once" },
];

/** Params of a question for permission. */
export function questionOf(
  { settings }: ClientContext,
  sessionId: string,
  toolCallId: string,
  options: readonly object[] = choices,
): object {
  const toolCall = { toolCallId, title: `Edit ${toolCallId}`, kind: "edit", status: "pending" };
  const about =
    settings.protocol === 2 ? { title: toolCall.title, subject: { type: "tool_call", toolCall } } : { toolCall };
  return { sessionId, ...about, options };
}

/** Asks for permission; a user whom the checker can speak for rejects. Resolves with the answer. */
export async function ask(
  context: ClientContext,
  peer: Peer,
  sessionId: string,
  toolCallId: string,
  options: readonly object[] = choices,
): Promise<Message> {
  const params = questionOf(context, sessionId, toolCallId, options);
  const isKnown = !toolCallId.startsWith("never");
  const call = { toolCallId, title: `Edit ${toolCallId}`, kind: "edit" };
  if (isKnown) sendUpdate(peer, sessionId, callOf(context, call));
  const id = peer.request("session/request_permission", params, `ask-${peer.traffic.length}`);
  return answerByUser(context, peer, id, toolCallId);
}

/** The answer of the user to a question that was sent. */
export async function answerByUser(
  context: ClientContext,
  peer: Peer,
  id: unknown,
  toolCallId: string,
): Promise<Message> {
  const run = context.run();
  const answered = answerOf(peer, id);
  if (run.answers !== "by a person") {
    const none = new Promise<void>(() => {});
    await Promise.race([answered, run.answer(`Edit ${toolCallId}`, "no-4712", 2).then(() => none)]);
    return answered;
  }
  // A client that asks its user does so for ever.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const nobody = new Promise<never>((_, reject) => {
    const reason = "The client asks its user, and the checker does not know how to answer: see `answer`";
    timer = setTimeout(() => reject(new NotReached(reason)), Math.min(3000, context.settings.timeout));
  });
  return Promise.race([answered, nobody]).finally(() => clearTimeout(timer));
}

/** The answer to a request, however long it takes. */
export function answerOf(peer: Peer, id: unknown): Promise<Message> {
  return peer.when(() => peer.answers(id)[0]);
}

/** Fails unless an answer to a question chooses one of its options, or is cancelled. */
export function expectValidOutcome(answer: Message, options: readonly { readonly optionId: string }[] = choices): void {
  const outcome = textAt(answer, "result", "outcome", "outcome");
  const optionId = at(answer, "result", "outcome", "optionId");
  if (outcome === "cancelled") return;
  const isOffered = options.some((option) => option.optionId === optionId);
  if (outcome === "selected" && isOffered) return;
  throw new CheckFailure(
    `The answer is neither one of the offered options nor cancelled: ${JSON.stringify(answer).slice(0, 300)}`,
  );
}

/** Resolves once the client has read all that was sent so far: it answers a request that it does not know. */
export async function passed(peer: Peer): Promise<void> {
  await peer.call("_check.acp/ping", {});
}
