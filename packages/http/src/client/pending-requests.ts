import { rawValue } from "@acp/core/internal";

import type { Envelope } from "../envelope.ts";

/** Their answers come after a history, which may come by another stream. */
const replayMethods = ["session/load", "session/resume"];
const endSession = ["session/close", "session/delete", "session/archive"];

/** Ids that `JSON.stringify` restores exactly. Others are searched in the text, which takes long for a large one. */
const isExact = /^(?:"|-?\d{1,15}$)/u;

/** A pending request of the client. */
export interface PendingRequest {
  readonly method: string;
  readonly sessionId: string | undefined;
  /** The id as it was sent. */
  readonly rawId: string;
  /** Whether the session had a stream already. */
  readonly hadStream: boolean;
}

/** Describes a request; `undefined` for any other message. */
export function pendingRequest(
  text: string,
  { method, id }: Envelope,
  sessionId: string | undefined,
  hadStream: boolean,
): PendingRequest | undefined {
  if (method === undefined || id === undefined) return undefined;
  return { method, sessionId, rawId: rawIdOf(text, id), hadStream };
}

/** The id of a message exactly as its text has it. */
export function rawIdOf(text: string, id: string): string {
  return isExact.test(id) ? id : (rawValue(text, ["id"]) ?? id);
}

/** Whether the answer to a method comes after a history. */
export function replaysHistory(method: string): boolean {
  return replayMethods.includes(method);
}

/** Whether a session is over when a method has succeeded. */
export function endsSession(method: string): boolean {
  return endSession.includes(method);
}

/** Whether the session of a method need not be open. */
export function takesClosedSession(method: string): boolean {
  return replaysHistory(method) || endsSession(method) || method === "session/fork";
}
