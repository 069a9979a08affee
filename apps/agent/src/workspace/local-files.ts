import { fileSystem } from "#runtime";

import type { LocalSession } from "./local-session.ts";

/** The files of this machine, for clients that offer none. It refuses paths outside the session's directories (SESS-21). */
const files = fileSystem();

/** Which lines to read: from `line` on, counted from 1, `limit` of them. Default: all. */
export interface LineRange {
  readonly line?: number;
  readonly limit?: number;
}

export async function readLocalFile(
  session: LocalSession,
  path: string,
  signal: AbortSignal,
  range: LineRange = {},
): Promise<string> {
  return (await files["fs/read_text_file"]({ path, ...range }, { session, signal })).content;
}

/** Only the end of the session interrupts it, so that a cancelled turn leaves no file half written. */
export async function writeLocalFile(session: LocalSession, path: string, text: string): Promise<void> {
  await files["fs/write_text_file"]({ path, content: text }, { session, signal: session.signal });
}
