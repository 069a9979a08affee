import { readFileSync, statSync } from "node:fs";
import { isObject } from "@acp/core/internal";
import { codeOf, idOfFolder, replaceFileSync } from "@acp/sessions/internal";

import { changeDescription } from "../change-description.ts";
import type { ListedSession, SessionDescription } from "../journal.ts";
import { edit } from "./edit.ts";
import type { SessionFiles } from "./folders.ts";

/** What the file of a description says. */
export interface SavedDescription {
  readonly session: string;
  readonly createdAt: number;
  readonly description: SessionDescription;
}

export function describeText(saved: SavedDescription): string {
  return JSON.stringify(saved);
}

/** Reads descriptions, each again only when its file is another one. */
export class Descriptions {
  readonly #known = new Map<string, { readonly version: string; readonly saved: SavedDescription }>();

  /** The session of a folder; `undefined` if there is none in it. */
  read(files: SessionFiles): SavedDescription | undefined {
    const stats = statSync(files.description, { throwIfNoEntry: false });
    if (stats === undefined) {
      this.#known.delete(files.name);
      return undefined;
    }
    const version = `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
    const known = this.#known.get(files.name);
    if (known?.version === version) return known.saved;
    const saved = readSaved(files);
    if (saved !== undefined) this.#known.set(files.name, { version, saved });
    return saved;
  }

  /** The session of a folder as lists show it. */
  list(files: SessionFiles): ListedSession | undefined {
    const saved = this.read(files);
    if (saved === undefined) return undefined;
    const { description, session, createdAt } = saved;
    return {
      ...description,
      session,
      createdAt: new Date(createdAt),
      updatedAt: new Date(changedAt(files) ?? createdAt),
    };
  }

  /** Changes members. Returns whether there is such a session. */
  async change(files: SessionFiles, change: Partial<SessionDescription>): Promise<boolean> {
    const isChanged = await edit(files, () => {
      const saved = this.read(files);
      if (saved === undefined) return false;
      replaceFileSync(
        files.description,
        describeText({ ...saved, description: changeDescription(saved.description, change) }),
      );
      return true;
    });
    return isChanged === true;
  }
}

/** When a session was changed, in milliseconds since 1970. */
export function changedAt({ stamp, description }: SessionFiles): number | undefined {
  const stats = statSync(stamp, { throwIfNoEntry: false }) ?? statSync(description, { throwIfNoEntry: false });
  return stats && Math.floor(stats.mtimeMs);
}

/** One that is broken says no more than the name of the folder, and lasts until the next change. */
function readSaved({ description: path, name }: SessionFiles): SavedDescription | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isSaved(value)) return value;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    if (!(error instanceof SyntaxError)) throw error;
  }
  const session = idOfFolder(name);
  return session === undefined ? undefined : { session, createdAt: 0, description: { agent: "", cwd: "/" } };
}

function isSaved(value: unknown): value is SavedDescription {
  return (
    isObject(value) &&
    typeof value["session"] === "string" &&
    typeof value["createdAt"] === "number" &&
    isObject(value["description"])
  );
}
