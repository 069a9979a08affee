import { ErrorCode, RequestError } from "../errors.ts";
import { isOverdue } from "../v1/overdue.ts";
import type { AnyTurn } from "./any-session.ts";
import { checkRunning } from "./running.ts";

/** Which lines of a file to read. */
export interface LineRange {
  /** The first line, from 1. Default: 1. */
  readonly line?: number;
  /** How many lines at most. Default: all. */
  readonly limit?: number;
}

/**
 * Reads a text file as the user sees it, with changes that are not saved yet (FS-03). Gives up when the turn is
 * cancelled.
 *
 * @param path Absolute.
 * @throws {CapabilityError} the client gives out no files (FS-02); nothing was sent.
 * @throws {RequestError} the client could not read it; {@link isNotFound} tells whether it exists.
 */
export async function readTextFile(turn: AnyTurn, path: string, range: LineRange = {}): Promise<string> {
  checkRunning(turn);
  const { client } = turn.session;
  const { content } = await client.request("fs/read_text_file", { path, ...range }, { signal: turn.signal });
  return content;
}

/**
 * Writes a text file, which the client creates if it does not exist (FS-05). A turn that is cancelled does not begin to
 * write. What has begun is waited for, for a second: a client may ask its user first, who has no reason to answer.
 *
 * @param path Absolute.
 * @throws {CapabilityError} the client takes no files; nothing was sent.
 * @throws {RequestError} the client could not write it.
 * @throws the reason of the turn's signal, if the turn was cancelled and the client is not done a second later.
 */
export async function writeTextFile(turn: AnyTurn, path: string, content: string): Promise<void> {
  checkRunning(turn);
  const giveUp = new AbortController();
  const { signal } = giveUp;
  const writing = turn.session.client.request("fs/write_text_file", { path, content }, { signal });
  if (await isOverdue(writing, turn.signal)) giveUp.abort(turn.signal.reason);
  await writing;
}

/** Whether an error is the client's answer that there is no such file, terminal or other resource (`-32002`). */
export function isNotFound(error: unknown): error is RequestError {
  return error instanceof RequestError && error.wire.code === ErrorCode.resourceNotFound;
}
