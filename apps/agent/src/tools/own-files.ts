import { fileSystem } from "#runtime";

import type { TaskSession } from "../task.ts";

/** The agent's own files, for clients that have none: they keep to the session's directories (SESS-21). */
const files = fileSystem();

export async function readOwnFile(session: TaskSession, path: string, signal: AbortSignal): Promise<string> {
  return (await files["fs/read_text_file"]({ path }, { session, signal })).content;
}

export async function writeOwnFile(session: TaskSession, path: string, text: string): Promise<void> {
  await files["fs/write_text_file"]({ path, content: text }, { session, signal: session.signal });
}
