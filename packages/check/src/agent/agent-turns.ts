import { at, type FakeClientOptions, type FakeTurn, isCall, type Message, textAt, type TurnRecord } from "@acp/testing";

import { expectThat, NotReached, reach } from "../engine/check.ts";
import { expectComes, patient } from "./agent-check.ts";
import type { AgentContext, AgentPrompts, OpenedAgent, StartedAgent } from "./agent-context.ts";

/** An agent that works on a prompt. */
export interface BusyAgent extends OpenedAgent {
  readonly turn: FakeTurn;
}

/** An agent that has asked for permission and waits for the answer. */
export interface AskingAgent extends BusyAgent {
  readonly question: Message;
  /** The tool call that it asks about. */
  readonly toolCallId: string;
}

/** The prompt of the settings that makes an agent do something. */
export function promptFor(context: AgentContext, what: keyof AgentPrompts): string {
  const [text] = promptsFor(context, what);
  if (text === undefined) throw new NotReached(`No prompt of the kind "${what}" was given, which this needs`);
  return text;
}

/** Those prompts of the settings that were given. */
export function promptsFor({ settings }: AgentContext, ...kinds: readonly (keyof AgentPrompts)[]): readonly string[] {
  const given = kinds.map((kind) => settings.prompts[kind]).filter((text) => text !== undefined);
  return given.map((text) => text.replaceAll("{number}", () => String(Math.floor(Math.random() * 1e9))));
}

/** Sends the short prompt and waits for the end of its turn. */
export async function playShort(context: AgentContext, { client, sessionId }: OpenedAgent): Promise<TurnRecord> {
  const turn = client.prompt(promptFor(context, "short"), sessionId);
  const record = await reach(turn, "The short prompt did not end");
  const { error } = record;
  if (error !== undefined) throw new NotReached(`The agent answered the prompt with ${error.code}: ${error.message}`);
  return record;
}

/** Opens a session and plays a turn with the short prompt. */
export async function played(context: AgentContext): Promise<OpenedAgent> {
  const opened = await context.open();
  await playShort(context, opened);
  return opened;
}

/** Opens a session and keeps the agent busy in it. Resolves as soon as it has written something. */
export async function busy(context: AgentContext, options?: Partial<FakeClientOptions>): Promise<BusyAgent> {
  const text = promptFor(context, "long");
  const opened = await context.open({ ...patient(context), ...options });
  const turn = opened.client.prompt(text, opened.sessionId);
  const begun = turn.until(({ items }) => items.length > 0, "something of the long prompt");
  await reach(eitherOf(begun, turn), "The long prompt brought nothing");
  if (isOver(turn)) throw new NotReached("The long prompt was over before anything could happen meanwhile");
  return { ...opened, turn };
}

/** Waits for the end of a turn, whose length is not what is checked. A long one is cancelled once it has brought something. */
export async function playToItsEnd(turn: FakeTurn, isLong = false): Promise<void> {
  if (isLong) {
    await reach(
      eitherOf(
        turn.until(({ items }) => items.length > 0),
        turn,
      ),
      "The long prompt brought nothing",
    );
    if (!isOver(turn)) await turn.cancel();
  }
  await reach(turn, "A prompt did not end");
}

/** Waits for what may come in a turn, or for the end of the turn. */
export async function eitherOf(waited: Promise<unknown>, turn: FakeTurn): Promise<void> {
  // Whichever loses may fail when nobody waits for it any more.
  waited.catch(() => {});
  await Promise.race([waited, turn]);
}

/** Whether a turn has ended. */
export function isOver({ record: { stopReason, error } }: FakeTurn): boolean {
  return stopReason !== undefined || error !== undefined;
}

/** Opens a session and lets the agent ask for permission. Its first question stays open, later ones are rejected. */
export async function asking(context: AgentContext): Promise<AskingAgent> {
  const text = promptFor(context, "permission");
  let questions = 0;
  const handlers = {
    "session/request_permission": (params: unknown) => (questions++ === 0 ? never : rejected(params)),
  };
  const opened = await context.open({ ...patient(context), handlers });
  const { client, sessionId } = opened;
  const turn = client.prompt(text, sessionId);
  const asked = (): Message | undefined => client.peer.calls("session/request_permission")[0];
  const waited = client.peer.until(() => asked() !== undefined, "a request for permission");
  await reach(eitherOf(waited, turn), "The agent did not ask for permission");
  const question = asked();
  if (question === undefined) throw new NotReached("The turn ended without a request for permission");
  const toolCallId =
    textAt(question, "params", "toolCall", "toolCallId") ??
    textAt(question, "params", "subject", "toolCall", "toolCallId") ??
    "";
  return { ...opened, turn, question, toolCallId };
}

const never = new Promise<never>(() => {});

/** The answer that chooses an option of a question, by the beginning of its kind; `cancelled` if it has none. */
export function chosen(params: unknown, kind: "allow" | "reject"): object {
  const options = at(params, "options");
  const list: readonly unknown[] = Array.isArray(options) ? options : [];
  const fitting = list.find((option) => textAt(option, "kind")?.startsWith(kind));
  const optionId = textAt(fitting, "optionId");
  return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
}

const rejected = (params: unknown): object => chosen(params, "reject");

/** Expects a turn to end, in whichever way. */
export function expectEnds(turn: FakeTurn, after: string): Promise<TurnRecord> {
  return expectComes(turn, `The turn did not end after ${after}`);
}

/** Expects a turn to end as one that was cancelled. */
export async function expectCancelled(turn: FakeTurn, after: string): Promise<TurnRecord> {
  const record = await expectEnds(turn, after);
  const { stopReason, error } = record;
  expectThat(error === undefined, `The cancelled turn ended with the error ${error?.code}: ${error?.message}`);
  expectThat(stopReason === "cancelled", `The cancelled turn ended with the stop reason ${stopReason}`);
  return record;
}

/** Expects that a tool which was not allowed has not been run. */
export function expectNotRun({ record }: FakeTurn, toolCallId: string, after: string): void {
  const call = record.calls.find(({ id }) => id === toolCallId);
  expectThat(call?.status !== "completed", `After ${after} it completed the tool call ${toolCallId} all the same`);
}

/** The id of the last prompt that was sent. */
export function promptId({ peer }: StartedAgent): unknown {
  const sent = peer.traffic.filter(({ direction }) => direction === "sent");
  return sent.findLast(({ message }) => message !== undefined && isCall(message, "session/prompt"))?.message?.id;
}
