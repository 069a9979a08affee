import { type ConversationPart, type ModelReply, type ModelRequest, wordsOf } from "./conversation.ts";
import { type Json, type ModelFormat, namesOf, textOf, toObjects } from "./model-format.ts";

const usage = { input_tokens: 100, output_tokens: 20 };

/** The Messages API of Anthropic: the agent SDK of Claude uses it. */
export const anthropicMessages: ModelFormat = {
  path: "/messages",
  readRequest: ({ model, messages, tools, stream }) => ({
    model: String(model),
    parts: toObjects(messages).flatMap(toParts),
    tools: namesOf(toObjects(tools)),
    stream: stream === true,
  }),
  writeEvents(reply, request) {
    const { text, call, hangs } = reply;
    const message = { ...wholeMessage(reply, request), content: [], stop_reason: null };
    const begin: readonly Json[] = [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      ...wordsOf(text).map((word) => blockDelta(0, { type: "text_delta", text: word })),
    ];
    const block = call && { type: "tool_use", id: `toolu_${reply.id}`, name: call.name, input: {} };
    const ofCall: readonly Json[] =
      call === undefined
        ? []
        : [
            { type: "content_block_start", index: 1, content_block: block },
            blockDelta(1, { type: "input_json_delta", partial_json: JSON.stringify(call.input) }),
            { type: "content_block_stop", index: 1 },
          ];
    const end: readonly Json[] = [
      { type: "content_block_stop", index: 0 },
      ...ofCall,
      { type: "message_delta", delta: { stop_reason: stopReasonOf(reply), stop_sequence: null }, usage },
      { type: "message_stop" },
    ];
    return [...begin, ...(hangs ? [] : end)].map((data) => ({ event: String(data["type"]), data }));
  },
  writeWhole: wholeMessage,
};

function blockDelta(index: number, delta: object): Json {
  return { type: "content_block_delta", index, delta };
}

function wholeMessage(reply: ModelReply, { model }: ModelRequest): object {
  const { id, text, call } = reply;
  const calls = call === undefined ? [] : [{ type: "tool_use", id: `toolu_${id}`, ...call }];
  const content = [{ type: "text", text }, ...calls];
  const stop = { stop_reason: stopReasonOf(reply), stop_sequence: null };
  return { id: `msg_${id}`, type: "message", role: "assistant", model, content, ...stop, usage };
}

function stopReasonOf({ call }: ModelReply): string {
  return call === undefined ? "end_turn" : "tool_use";
}

function toParts({ role, content }: Json): readonly ConversationPart[] {
  if (role !== "user") return [];
  if (typeof content === "string") return [{ from: "user", text: content }];
  return toObjects(content).map((block) =>
    block["type"] === "tool_result"
      ? { from: "tool", text: textOf(block["content"]) }
      : { from: "user", text: textOf([block]) },
  );
}
