import { type ConversationPart, type ModelReply, wordsOf } from "./conversation.ts";
import { type Json, type ModelFormat, namesOf, type ServerEvent, textOf, toObjects } from "./model-format.ts";

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
};

/** The Responses API of OpenAI: Codex uses it. */
export const openAiResponses: ModelFormat = {
  path: "/responses",
  readRequest: ({ model, input, tools, stream }) => ({
    model: String(model),
    parts: typeof input === "string" ? [{ from: "user", text: input }] : toObjects(input).flatMap(toPart),
    tools: namesOf(toObjects(tools)),
    stream: stream === true,
  }),
  writeEvents(reply) {
    const message = itemsOf(reply)[0];
    const begin: readonly Json[] = [
      { type: "response.created", response: { id: `resp_${reply.id}`, status: "in_progress" } },
      { type: "response.output_item.added", output_index: 0, item: { ...message, status: "in_progress", content: [] } },
    ];
    const deltas = wordsOf(reply.text).map((delta) => ({
      type: "response.output_text.delta",
      item_id: `msg_${reply.id}`,
      output_index: 0,
      content_index: 0,
      delta,
    }));
    const end: readonly Json[] = [
      ...itemsOf(reply).map((item, index) => ({ type: "response.output_item.done", output_index: index, item })),
      { type: "response.completed", response: wholeResponse(reply) },
    ];
    return [...begin, ...deltas, ...(reply.hangs ? [] : end)].map(toEvent);
  },
  writeWhole: wholeResponse,
};

function toEvent(data: Json): ServerEvent {
  return { event: String(data["type"]), data };
}

function wholeResponse(reply: ModelReply): object {
  return { id: `resp_${reply.id}`, object: "response", status: "completed", output: itemsOf(reply), usage };
}

function itemsOf({ id, text, call }: ModelReply): readonly Json[] {
  const content = [{ type: "output_text", text, annotations: [] }];
  const message = { type: "message", id: `msg_${id}`, role: "assistant", status: "completed", content };
  if (call === undefined) return [message];
  const { name, input } = call;
  const made = { id: `fc_${id}`, call_id: `call_${id}`, name, arguments: JSON.stringify(input) };
  return [message, { type: "function_call", ...made }];
}

function toPart({ type, role, content, output }: Json): readonly ConversationPart[] {
  if (type === "function_call_output") return [{ from: "tool", text: textOf(output) }];
  return role === "user" ? [{ from: "user", text: textOf(content) }] : [];
}
