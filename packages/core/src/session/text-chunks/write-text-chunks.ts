import { isObject } from "../../base/values.ts";
import {
  beforeMessage,
  beforeTag,
  beforeText,
  chunkTags,
  endOfMessage,
  endOfText,
  writeBeforeSession,
} from "./message-parts.ts";

/** Writes the message of an update as JSON; returns `undefined` unless the update is a plain text chunk. */
export type TextChunkWriter = (update: object) => string | undefined;

/**
 * Writes the messages of text chunks, which nearly all updates are while a model speaks. Only the text differs from one to the
 * next, so the rest is written once. A plain text chunk breaks no rule and needs no capability, so nothing has to be checked.
 */
export function createTextChunkWriter(method: string, sessionId: string): TextChunkWriter {
  let tag: unknown;
  /** Everything before the text of a chunk with this tag. */
  let head = "";
  return (update) => {
    if (!isPlain(update, isUpdateMember)) return undefined;
    const { sessionUpdate, content, messageId } = update;
    if (!isPlain(content, isTextMember)) return undefined;
    const { type, text } = content;
    if (type !== "text" || typeof text !== "string" || typeof sessionUpdate !== "string") return undefined;
    if (sessionUpdate !== tag) {
      if (!chunkTags.includes(sessionUpdate)) return undefined;
      tag = sessionUpdate;
      head = `${writeBeforeSession(method)}${JSON.stringify(sessionId)}${beforeTag}"${sessionUpdate}"${beforeText}`;
    }
    if (messageId === undefined) return `${head}${JSON.stringify(text)}${endOfText}`;
    if (typeof messageId !== "string") return undefined;
    return `${head}${JSON.stringify(text)}${beforeMessage}${JSON.stringify(messageId)}${endOfMessage}`;
  };
}

/** Whether an object is an object literal with no other members. */
function isPlain(value: unknown, isMember: (name: string) => boolean): value is Readonly<Record<string, unknown>> {
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const name in value) if (!isMember(name)) return false;
  return true;
}

function isUpdateMember(name: string): boolean {
  return name === "sessionUpdate" || name === "content" || name === "messageId";
}

function isTextMember(name: string): boolean {
  return name === "type" || name === "text";
}
