import type { Task } from "../task.ts";
import { ownFiles } from "./own-tools.ts";

/** Reads a text file as the user sees it, unsaved changes included (FS-03), if the client lets us (FS-02). */
export async function readText({ client, session, signal }: Task, path: string): Promise<string> {
  const { content } =
    client.capabilities.fs?.readTextFile === true
      ? await client.request("fs/read_text_file", { path }, { signal })
      : await ownFiles["fs/read_text_file"]({ path }, { session, signal });
  return content;
}

/** Writes a text file. Not cancelled half-way: once it is asked for, it is done. */
export async function writeText({ client, session, signal }: Task, path: string, content: string): Promise<void> {
  if (client.capabilities.fs?.writeTextFile === true) await client.request("fs/write_text_file", { path, content });
  else await ownFiles["fs/write_text_file"]({ path, content }, { session, signal });
}
