import { isObject } from "@acp/core/internal";

import { textOfBase64 } from "./base64-text.ts";

/** A text in a message that goes on in later messages. */
export interface StreamedText {
  /** The same for all pieces of one text. */
  readonly key: string;
  readonly text: string;
  /** Puts another text in its place, in a copy of the message. */
  replaceIn(copy: unknown, text: string): unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** The text of a chunk: of a message, of a tool call, or of a terminal, in which it is base64. */
export function streamedText(message: unknown): StreamedText | undefined {
  if (!isObject(message) || message["method"] !== "session/update") return undefined;
  const params = membersOf(message["params"]);
  const update = membersOf(params["update"]);
  const kind = update["sessionUpdate"];
  if (typeof kind !== "string") return undefined;
  const key = JSON.stringify([params["sessionId"], kind, update["toolCallId"] ?? update["terminalId"]]);
  const found = findText(update);
  if (found === undefined) return undefined;
  const { path, isBase64 } = found;
  const held = valueAt(update, path);
  if (typeof held !== "string") return undefined;
  const read = isBase64 ? textOfBase64(held) : { text: held, encode: (changed: string): string => changed };
  if (read === undefined) return undefined;
  const { text, encode } = read;
  return {
    key,
    text,
    replaceIn: (copy, masked) => {
      if (masked === text && isBase64) return copy;
      return replaceAt(copy, ["params", "update", ...path], encode(masked));
    },
  };
}

function findText(update: Members): { readonly path: readonly string[]; readonly isBase64: boolean } | undefined {
  switch (update["sessionUpdate"]) {
    case "terminal_output_chunk":
      return { path: ["data"], isBase64: true };
    case "terminal_update":
      return { path: ["output", "data"], isBase64: true };
    case "tool_call_content_chunk":
      return { path: ["content", "content", "text"], isBase64: false };
    default:
      return String(update["sessionUpdate"]).endsWith("_chunk")
        ? { path: ["content", "text"], isBase64: false }
        : undefined;
  }
}

function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((holder, name) => membersOf(holder)[name], value);
}

function replaceAt(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  return { ...membersOf(value), [name]: replaceAt(membersOf(value)[name], rest, text) };
}
