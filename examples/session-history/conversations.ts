// The conversations of the agent beside this, a file each in a folder.
import { RequestError } from "@acp/core";
import type { ContentBlock, SessionUpdate } from "@acp/schema/v1";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Conversation {
  readonly sessionId: string;
  readonly cwd: string;
  /** What the user has said and the agent has sent, in order. */
  readonly history: ({ readonly prompt: readonly ContentBlock[] } | { readonly update: SessionUpdate })[];
}

export class Conversations {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async save(conversation: Conversation): Promise<void> {
    await writeFile(this.#fileOf(conversation.sessionId), JSON.stringify(conversation));
  }

  async read(sessionId: string): Promise<Conversation> {
    const file = this.#fileOf(sessionId);
    if (!existsSync(file)) throw RequestError.resourceNotFound(`No such session: ${sessionId}`);
    return JSON.parse(await readFile(file, "utf8"));
  }

  async list(): Promise<{ sessionId: string; cwd: string; title: string }[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(".json"));
    const all = names.map((name) => this.read(decodeURIComponent(name.slice(0, -".json".length))));
    return (await Promise.all(all)).map(({ sessionId, cwd, history }) => ({
      sessionId,
      cwd,
      title: promptsOf({ history })[0] ?? "",
    }));
  }

  /** The client picks the id that it loads: it must not lead out of the folder. */
  #fileOf(sessionId: string): string {
    return join(this.#folder, `${encodeURIComponent(sessionId)}.json`);
  }
}

/** What the user has said, as text. */
export function promptsOf({ history }: Pick<Conversation, "history">): string[] {
  const blocks = history.map((entry) => ("prompt" in entry ? entry.prompt : []));
  return blocks.flatMap((prompt) => prompt.flatMap((block) => (block.type === "text" ? block.text : [])));
}
