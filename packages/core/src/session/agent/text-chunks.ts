import {
  beforeMessage,
  beforeSession,
  beforeTag,
  beforeText,
  chunkTags,
  endOfMessage,
  endOfText,
} from "../chunk-message.ts";
import { isObject } from "../../base/values.ts";

/** Writes the message of an update as JSON; `undefined` for an update that is more than a chunk of text, or something else. */
export type TextChunks = (update: object) => string | undefined;

/**
 * Writes the messages of updates that are a chunk of text and nothing else, which nearly all are while a model
 * speaks. All but the text is the same each time, so it is written once: a third of the time of JSON.stringify
 * for the whole. It breaks no rule, and every client takes it, so that nothing has to be checked.
 */
export function createTextChunks(sessionId: string): TextChunks {
  let tag: unknown;
  /** Up to the text of a chunk with this tag. */
  let head = "";
  return (update) => {
    if (!isPlain(update, isUpdateMember)) return undefined;
    const { sessionUpdate, content, messageId } = update as Readonly<Record<string, unknown>>;
    if (!isObject(content) || !isPlain(content, isTextMember)) return undefined;
    const { type, text } = content;
    if (type !== "text" || typeof text !== "string" || typeof sessionUpdate !== "string") return undefined;
    if (sessionUpdate !== tag) {
      if (!chunkTags.includes(sessionUpdate)) return undefined;
      tag = sessionUpdate;
      head = `${beforeSession}${JSON.stringify(sessionId)}${beforeTag}"${sessionUpdate}"${beforeText}`;
    }
    if (messageId === undefined) return `${head}${JSON.stringify(text)}${endOfText}`;
    if (typeof messageId !== "string") return undefined;
    return `${head}${JSON.stringify(text)}${beforeMessage}${JSON.stringify(messageId)}${endOfMessage}`;
  };
}

/** An object as braces make it, with no members but such. */
function isPlain(value: object, isMember: (name: string) => boolean): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const name in value) if (!isMember(name)) return false;
  return true;
}

function isUpdateMember(name: string): boolean {
  return name === "sessionUpdate" || name === "content" || name === "messageId";
}

function isTextMember(name: string): boolean {
  return name === "type" || name === "text";
}
