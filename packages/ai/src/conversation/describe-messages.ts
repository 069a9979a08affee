import type { GenerateResult, Message } from "../model/model-types.ts";
import { isPlanCall } from "../model/plans.ts";
import { isObject, textIn, toBase64 } from "../values.ts";

/** What a message says, in a form that is the same however an app has kept the message. */
type Entry = readonly [role: string, kind: string, ...values: unknown[]];

/**
 * Messages in a form in which equal conversations are equal texts. Two texts of an assistant in a row count as one, and
 * reasoning, which many apps leave out, counts as nothing.
 */
export function describeMessages(messages: readonly Message[], answer: GenerateResult["content"] = []): string {
  const entries: Entry[] = [];
  const said = answer.map((part) => (part.type === "tool-call" ? { ...part, input: parseJson(part.input) } : part));
  for (const { role, content } of [...messages, { role: "assistant", content: said }]) {
    const parts: readonly unknown[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    for (const part of parts) addEntry(entries, role, part);
  }
  return JSON.stringify(entries);
}

function addEntry(entries: Entry[], role: string, part: unknown): void {
  if (!isObject(part)) return;
  const id = part["toolCallId"];
  // An app may show plans apart from the messages.
  if (isPlanCall(id)) return;
  switch (part["type"]) {
    case "text": {
      const text = textIn(part, "text") ?? "";
      const last = entries.at(-1);
      const isOneText = role === "assistant" && last?.[0] === role && last[1] === "text";
      if (text === "") return;
      if (isOneText) entries.pop();
      entries.push([role, "text", isOneText ? `${String(last[2])}${text}` : text]);
      return;
    }
    case "file":
      entries.push([role, "file", part["mediaType"], describeData(part["data"])]);
      return;
    case "tool-call":
      entries.push([role, "tool-call", id, part["toolName"], sortKeys(part["input"])]);
      return;
    case "tool-result": {
      // `ai` keeps what a tool has shown while it ran as results, too: the last one counts.
      const before = entries.findIndex(([by, kind, of]) => by === role && kind === "tool-result" && of === id);
      if (before >= 0) entries.splice(before, 1);
      // An answer has `result`, a message `output`: the same value, with a type around it.
      entries.push([role, "tool-result", id, describeOutput("result" in part ? part["result"] : part["output"])]);
      return;
    }
    case "reasoning":
    case "source":
      return;
    default:
      entries.push([role, "other", sortKeys({ ...part, providerOptions: undefined })]);
  }
}

function describeOutput(output: unknown): unknown {
  const isTyped = isObject(output) && typeof output["type"] === "string" && "value" in output;
  const value = isTyped ? output["value"] : output;
  return sortKeys(typeof value === "string" ? parseJson(value) : value);
}

function describeData(data: unknown): unknown {
  if (data instanceof Uint8Array) return toBase64(data);
  if (data instanceof URL) return data.href;
  return sortKeys(data);
}

/** The value of a JSON text, and any other text as it is. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A value with its members in order: databases keep them in an order of their own. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sortKeys(member)]),
  );
}
