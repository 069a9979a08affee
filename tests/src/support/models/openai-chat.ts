import { type ConversationPart, type ModelReply, type ModelRequest, wordsOf } from "./conversation.ts";
import { type Json, type ModelFormat, namesOf, textOf, toObject, toObjects } from "./model-format.ts";

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

/** The Chat Completions API of OpenAI: most agents know it. */
export const openAiChat: ModelFormat = {
  path: "/chat/completions",
  readRequest: ({ model, messages, tools, stream }) => ({
    model: String(model),
    parts: toObjects(messages).flatMap(toPart),
    tools: namesOf(toObjects(tools).map((tool) => toObject(tool["function"]))),
    stream: stream === true,
  }),
  writeEvents(reply, request) {
    const { text, call, hangs } = reply;
    const calls = callsOf(reply).map((one, index) => ({ index, ...one }));
    const chunks = [
      { role: "assistant", content: "" },
      ...wordsOf(text).map((content) => ({ content })),
      ...(hangs || call === undefined ? [] : [{ tool_calls: calls }]),
    ].map((delta) => toChunk(reply, request, [{ index: 0, delta, finish_reason: null }]));
    if (hangs) return chunks.map((data) => ({ data }));
    const last = toChunk(reply, request, [{ index: 0, delta: {}, finish_reason: finishReasonOf(reply) }]);
    return [...chunks, last, { ...toChunk(reply, request, []), usage }, "[DONE]"].map((data) => ({ data }));
  },
  writeWhole(reply, { model }) {
    const { id, text, call } = reply;
    const calls = call === undefined ? {} : { tool_calls: callsOf(reply) };
    const message = { role: "assistant", content: text, ...calls };
    const choices = [{ index: 0, message, finish_reason: finishReasonOf(reply) }];
    return { id: `chatcmpl_${id}`, object: "chat.completion", created: 0, model, choices, usage };
  },
};

function toChunk({ id }: ModelReply, { model }: ModelRequest, choices: readonly object[]): object {
  return { id: `chatcmpl_${id}`, object: "chat.completion.chunk", created: 0, model, choices };
}

function callsOf({ id, call }: ModelReply): readonly object[] {
  if (call === undefined) return [];
  const { name, input } = call;
  return [{ id: `call_${id}`, type: "function", function: { name, arguments: JSON.stringify(input) } }];
}

function finishReasonOf({ call }: ModelReply): string {
  return call === undefined ? "stop" : "tool_calls";
}

function toPart({ role, content }: Json): readonly ConversationPart[] {
  if (role === "tool") return [{ from: "tool", text: textOf(content) }];
  return role === "user" ? [{ from: "user", text: textOf(content) }] : [];
}
