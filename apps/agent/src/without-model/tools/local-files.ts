import { fileSystem } from "#runtime";

import type { TaskSession } from "../task.ts";

/** The files of this machine, for clients that offer none. It refuses paths outside the session's directories (SESS-21). */
const files = fileSystem();

export async function readLocalFile(session: TaskSession, path: string, signal: AbortSignal): Promise<string> {
  return (await files["fs/read_text_file"]({ path }, { session, signal })).content;
}

export async function writeLocalFile(session: TaskSession, path: string, text: string): Promise<void> {
  await files["fs/write_text_file"]({ path, content: text }, { session, signal: session.signal });
}
