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
 * Reads a text file through the client, with changes that the user has not saved yet (FS-03).
 *
 * @param path The file, an absolute path.
 * @throws {CapabilityError} the client cannot read files (FS-02); nothing was sent.
 * @throws {RequestError} the client could not read the file. {@link isNotFound} tells whether it does not exist.
 * @throws {UsageError} the path is not absolute, the line is less than 1, or the turn has ended; nothing was sent.
 * @throws the reason of the turn's signal if the turn is cancelled.
 */
export async function readTextFile(turn: AnyTurn, path: string, range?: LineRange): Promise<string> {
  checkRunning(turn);
  const { client } = turn.session;
  const { content } = await client.request("fs/read_text_file", { path, ...range }, { signal: turn.signal });
  return content;
}

/**
 * Writes a text file through the client, which creates the file if it does not exist (FS-05). After a cancel, no write
 * starts. A write that is in flight gets one more second, because the client may be asking its user, who has no reason
 * to answer any more.
 *
 * @param path The file, an absolute path.
 * @throws {CapabilityError} the client cannot write files; nothing was sent.
 * @throws {RequestError} the client could not write the file.
 * @throws {UsageError} the path is not absolute, or the turn has ended; nothing was sent.
 * @throws the reason of the turn's signal if the turn was already cancelled, or the client is not done one second after
 * the cancel.
 */
export async function writeTextFile(turn: AnyTurn, path: string, content: string): Promise<void> {
  checkRunning(turn);
  const giveUp = new AbortController();
  const { signal } = giveUp;
  const writing = turn.session.client.request("fs/write_text_file", { path, content }, { signal });
  if (await pendingAfterAbort(writing, turn.signal)) giveUp.abort(turn.signal.reason);
  await writing;
}

/** Whether an error means that a file, terminal or other resource does not exist (`-32002`). */
export function isNotFound(error: unknown): error is RequestError {
  return error instanceof RequestError && error.wire.code === ErrorCode.resourceNotFound;
}
