import type { AgentSession } from "@acp/core";

import { clientOrOwn, ownFiles } from "./client-or-own.ts";

/** Where a text file is, and for whom it is read or written. */
interface FileAccess {
  readonly session: AgentSession<unknown>;
  readonly signal: AbortSignal;
}

/** Reads a text file as the user sees it, unsaved changes included (FS-03). */
export async function readText({ session, signal }: FileAccess, path: string): Promise<string> {
  const { content } = await clientOrOwn(
    () => session.client.request("fs/read_text_file", { path }, { signal }),
    () => ownFiles["fs/read_text_file"]({ path }, { session, signal }),
  );
  return content;
}

/** Writes a text file. Not cancelled half-way: once it is asked for, it is done. */
export async function writeText({ session, signal }: FileAccess, path: string, content: string): Promise<void> {
  await clientOrOwn(
    () => session.client.request("fs/write_text_file", { path, content }),
    () => ownFiles["fs/write_text_file"]({ path, content }, { session, signal }),
  );
}
