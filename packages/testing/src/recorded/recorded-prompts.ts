import { UsageError } from "@acp/core";
import { parseRecording, type RecordedMessage } from "@acp/record";

import { at, isCall, isRequest, type Message } from "../peer/message.ts";

/** A recording: its text, one entry a line, or its entries. */
export type Recording = string | readonly RecordedMessage[];

/** An entry, seen from the agent. */
export interface RecordedEntry {
  readonly from: "agent" | "client";
  readonly message: Message;
  /** Milliseconds since the entry before it. */
  readonly gap: number;
}

/**
 * The prompts of a recording, in order: send them with `client.prompt(blocks)` of a scripted client.
 *
 * @throws {UsageError} for what is no recording of a connection from its beginning.
 */
export function recordedPrompts(recording: Recording): readonly (readonly object[])[] {
  return readEntries(recording).flatMap(({ from, message }) => {
    const prompt = at(message, "params", "prompt");
    return from === "client" && isCall(message, "session/prompt") && Array.isArray(prompt) ? [prompt as object[]] : [];
  });
}

/** @throws {UsageError} for what is no recording of a connection from its beginning. */
export function readEntries(recording: Recording): readonly RecordedEntry[] {
  const entries =
    typeof recording === "string" || !Array.isArray(recording) ? parseRecording(recording as string) : recording;
  const opening = entries.find(({ message }) => isCall(message as Message, "initialize"));
  if (opening === undefined || !isRequest(opening.message as Message))
    throw new UsageError("The recording has no initialize: it must begin where its connection does");
  return entries.flatMap(({ direction, message, time }, index) => {
    if (typeof message !== "object" || message === null) return [];
    const gap = Date.parse(time) - Date.parse(entries[index - 1]?.time ?? time);
    const from = direction === opening.direction ? ("client" as const) : ("agent" as const);
    return [{ from, message: message as Message, gap: Math.max(0, gap) || 0 }];
  });
}
