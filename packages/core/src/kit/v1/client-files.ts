import { ErrorCode, RequestError } from "../../base/errors.ts";
import { pendingAfterAbort } from "../../session/agent/pending-after-abort.ts";
import { checkRunning } from "../shared/any-session.ts";
import type { AnyTurn } from "./any-session.ts";

/** Which lines of a file to read. */
export interface LineRange {
  /** The first line, from 1. Default: 1. */
  readonly line?: number | undefined;
  /** The maximum number of lines. Default: all. */
  readonly limit?: number | undefined;
}

/**
 * Reads a text file of the client as the user sees it, unsaved changes included (FS-03).
 *
 * @param path Absolute.
 * @throws {CapabilityError} the client does not offer to read files (FS-02); nothing was sent.
 * @throws {RequestError} the client could not read it; {@link isNotFound} tells whether there is no such file.
 * @throws {UsageError} the path is not absolute, the line is less than 1, or the turn was answered; nothing was sent.
 * @throws the reason of the turn's signal, as soon as the turn is cancelled.
 */
export async function readTextFile(turn: AnyTurn, path: string, range?: LineRange): Promise<string> {
  checkRunning(turn);
  const { client } = turn.session;
  const { content } = await client.request("fs/read_text_file", { path, ...range }, { signal: turn.signal });
  return content;
}

/**
 * Writes a text file of the client, and creates it if it does not exist (FS-05). No write begins after a cancel. A write
 * that has begun gets one more second: the client may be asking its user, who has no reason to answer any more.
 *
 * @param path Absolute.
 * @throws {CapabilityError} the client does not offer to write files; nothing was sent.
 * @throws {RequestError} the client could not write it.
 * @throws {UsageError} the path is not absolute, or the turn was answered; nothing was sent.
 * @throws the reason of the turn's signal, if the turn was cancelled before, or the client is not done a second after it.
 */
export async function writeTextFile(turn: AnyTurn, path: string, content: string): Promise<void> {
  checkRunning(turn);
  const giveUp = new AbortController();
  const { signal } = giveUp;
  const writing = turn.session.client.request("fs/write_text_file", { path, content }, { signal });
  if (await pendingAfterAbort(writing, turn.signal)) giveUp.abort(turn.signal.reason);
  await writing;
}

/** Whether an error is the client's answer that there is no such file, terminal or other resource (`-32002`). */
export function isNotFound(error: unknown): error is RequestError {
  return error instanceof RequestError && error.wire.code === ErrorCode.resourceNotFound;
}
