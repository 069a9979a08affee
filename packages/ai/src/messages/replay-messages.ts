import { type AnySession, userMessage } from "@acp/core/agent";
import { randomId, requireArgument, requireObject } from "@acp/core/internal";
import { type AnySession as AnySession2, userMessage as userMessage2 } from "@acp/core/v2/agent";
import type { ContentBlock } from "@acp/schema/v1/types";
import type { ModelMessage, ToolResultPart } from "ai";
import { describeCall } from "../display/describe-call.ts";
import { shownFile } from "../display/shown-file.ts";
import { shownOutput } from "../display/shown-output.ts";
import { displayOf, type ShowTools } from "../display/tool-display.ts";
import { claimCallId } from "../stream/reported-calls.ts";
import type { AnyTurn, CallChange, ToolOutput } from "../turn/any-turn.ts";

/** Where a history is shown: the session of a handler that loads it, or a turn. */
export type ReplayTarget = AnySession | AnySession2 | AnyTurn;

/** How the calls of a history look. */
export interface ReplayOptions {
  /** The same as for {@link runTurn}. */
  readonly show?: ShowTools | undefined;
}

/**
 * Shows a history of messages to a client, as a handler for `session/load`, or for `session/resume` of version 2, does it:
 * what the user has said, what the model has said, and the tool calls with their results.
 *
 * ```ts
 * "session/load": async ({ sessionId }, { session }) => {
 *   session.state.messages.push(...(await readHistory(sessionId)));
 *   await replayMessages(session, session.state.messages);
 *   return {};
 * },
 * ```
 */
export async function replayMessages(
  to: ReplayTarget,
  messages: readonly ModelMessage[],
  options?: ReplayOptions,
): Promise<void> {
  requireObject(to, "replayMessages() takes a turn or a session first", "update");
  requireArgument(Array.isArray(messages), "replayMessages() takes a list of messages", messages);
  const replay = new Replay(to, options?.show);
  for (const [index, message] of messages.entries()) await replay.show(message, resultsBehind(messages, index));
}

type Results = ReadonlyMap<string, ToolResultPart>;

/** The results of the calls of a message. They stand right behind it: later calls may have the same ids. */
function resultsBehind(messages: readonly ModelMessage[], index: number): Results {
  const results = new Map<string, ToolResultPart>();
  for (const { role, content } of messages.slice(index + 1)) {
    if (role !== "tool") break;
    const parts: readonly object[] = content;
    for (const part of parts.filter(isResult)) results.set(part.toolCallId, part);
  }
  return results;
}

function isResult(part: object): part is ToolResultPart {
  return "type" in part && part.type === "tool-result";
}

class Replay {
  readonly #to: ReplayTarget;
  readonly #show: ShowTools | undefined;
  /** Version 1 tells a new call from a change of one; only turns and sessions of version 2 run work of their own. */
  readonly #isVersion2: boolean;
  #files = 0;

  constructor(to: ReplayTarget, show: ShowTools | undefined) {
    this.#to = to;
    this.#show = show;
    this.#isVersion2 = "requestPermission" in to || "run" in to;
  }

  async show(message: ModelMessage, results: Results): Promise<void> {
    if (message.role === "user") return this.#showUser(toUserBlocks(message.content));
    if (message.role !== "assistant") return;
    const { content } = message;
    const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    const messageId = randomId();
    const thoughtId = randomId();
    for (const part of parts) {
      if (part.type === "text") await this.#chunk("agent_message_chunk", messageId, toText(part.text));
      if (part.type === "reasoning" && part.text !== "")
        await this.#chunk("agent_thought_chunk", thoughtId, toText(part.text));
      if (part.type === "file" && typeof part.data === "string") {
        const file = { base64: part.data, uint8Array: new Uint8Array(), mediaType: part.mediaType };
        await this.#chunk("agent_message_chunk", messageId, shownFile(file, ++this.#files));
      }
      if (part.type === "tool-call" && displayOf(this.#show, part.toolName).isHidden !== true) {
        const { toolCallId, toolName, input } = part;
        await this.#showCall(toolCallId, toolName, input, results.get(toolCallId));
      }
    }
  }

  async #showUser(blocks: readonly ContentBlock[]): Promise<void> {
    if (blocks.length === 0) return;
    await (this.#isVersion2 ? userMessage2 : userMessage)(this.#target(), blocks);
  }

  async #chunk(
    sessionUpdate: "agent_message_chunk" | "agent_thought_chunk",
    messageId: string,
    content: ContentBlock,
  ): Promise<void> {
    await this.#target().update({ sessionUpdate, messageId, content });
  }

  async #showCall(id: string, toolName: string, input: unknown, result: ToolResultPart | undefined): Promise<void> {
    const display = displayOf(this.#show, toolName);
    const session = "session" in this.#to ? this.#to.session : this.#to;
    const { output, isError } = readResult(result);
    const shown: CallChange = isError
      ? { content: typeof output === "string" ? output : JSON.stringify(output) }
      : shownOutput(display, output, input);
    const isFailed = isError || display.isFailure?.(output, input) === true;
    const { content, ...call } = { ...describeCall(display, toolName, input), ...shown };
    await this.#target().update({
      sessionUpdate: this.#isVersion2 ? "tool_call_update" : "tool_call",
      ...call,
      toolCallId: claimCallId(session, id),
      status: isFailed ? "failed" : "completed",
      ...(content === undefined ? {} : { content: toItems(content) }),
    });
  }

  /** What is sent is an update of the target's version: their types differ in names alone. */
  #target(): { update(update: object): Promise<void> } {
    return this.#to;
  }
}

function readResult(result: ToolResultPart | undefined): { readonly output: unknown; readonly isError: boolean } {
  if (result === undefined) return { output: "There is no result.", isError: true };
  const { output } = result;
  switch (output.type) {
    case "text":
    case "json":
      return { output: output.value, isError: false };
    case "execution-denied":
      return { output: output.reason ?? "This was not allowed.", isError: true };
    case "content":
      return { output: { content: output.value.flatMap(toResultBlocks) }, isError: false };
    default:
      return { output: output.value, isError: true };
  }
}

type ResultContent = Extract<ToolResultPart["output"], { type: "content" }>["value"][number];

function toResultBlocks(part: ResultContent): ContentBlock[] {
  if (part.type === "text") return [toText(part.text)];
  if (part.type !== "file" || part.data.type !== "data" || typeof part.data.data !== "string") return [];
  return [shownFile({ base64: part.data.data, uint8Array: new Uint8Array(), mediaType: part.mediaType }, 1)];
}

type UserContent = Extract<ModelMessage, { role: "user" }>["content"];

function toUserBlocks(content: UserContent): ContentBlock[] {
  if (typeof content === "string") return [toText(content)];
  return content.flatMap((part, index) => {
    if (part.type === "text") return [toText(part.text)];
    if (part.type !== "file" || typeof part.data !== "string") return [];
    return [shownFile({ base64: part.data, uint8Array: new Uint8Array(), mediaType: part.mediaType }, index)];
  });
}

function toText(text: string): ContentBlock {
  return { type: "text", text };
}

/** What a tool shows, as it stands in an update. */
function toItems(output: ToolOutput): object[] {
  const parts = typeof output === "string" ? [toText(output)] : output;
  return parts.map((part) =>
    part.type === "content" || part.type === "diff" || part.type === "terminal"
      ? part
      : { type: "content", content: part },
  );
}
