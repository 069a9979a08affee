import { type ConversationPart, type ModelReply, wordsOf } from "./conversation.ts";
import { type Json, type ModelFormat, namesOf, toObject, toObjects } from "./model-format.ts";

const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };

/** The API of Gemini. The path says whether the answer comes in pieces. */
const format = (path: string, stream: boolean): ModelFormat => ({
  path,
  readRequest: ({ contents, tools }) => ({
    model: "played",
    parts: toObjects(contents).flatMap(toParts),
    tools: toObjects(tools).flatMap((tool) => namesOf(toObjects(tool["functionDeclarations"]))),
    stream,
  }),
  writeEvents(reply) {
    const pieces = wordsOf(reply.text).map((text) => ({ data: toAnswer([{ text }]) }));
    return reply.hangs ? pieces : [...pieces, { data: toAnswer(callsOf(reply), "STOP") }];
  },
  writeWhole: (reply) => toAnswer([{ text: reply.text }, ...callsOf(reply)], "STOP"),
});

/** The answer of Gemini in pieces, and at once. */
export const geminiContent: readonly ModelFormat[] = [
  format(":streamGenerateContent", true),
  format(":generateContent", false),
];

function toAnswer(parts: readonly object[], finishReason?: string): object {
  const candidate = { index: 0, content: { role: "model", parts } };
  if (finishReason === undefined) return { candidates: [candidate] };
  return { candidates: [{ ...candidate, finishReason }], usageMetadata };
}

function callsOf({ call }: ModelReply): readonly object[] {
  return call === undefined ? [] : [{ functionCall: { name: call.name, args: call.input } }];
}

function toParts({ role, parts }: Json): readonly ConversationPart[] {
  if (role === "model") return [];
  return toObjects(parts).map(({ text, functionResponse }) =>
    functionResponse === undefined
      ? { from: "user", text: String(text) }
      : { from: "tool", text: JSON.stringify(toObject(functionResponse)["response"]) },
  );
}
