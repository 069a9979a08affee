import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@acp/core/internal";
import { codeOf } from "@acp/sessions/internal";

import type { StoredCommand } from "../journal.ts";

/** A file in the folder of commands: `<place>-<hash of the key>.json`, or `<place>-settled` without anything in it. */
interface CommandFile {
  readonly at: number;
  readonly name: string;
  readonly hash: string;
}

const settled = "settled";

/** Stores a command, unless one with its key waits. The caller holds the lock for changes. */
export function addCommand(
  folder: string,
  key: string,
  command: string,
): { readonly at: number; readonly isNew: boolean } {
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 40);
  const files = commandFiles(folder);
  const waiting = files.find((file) => file.hash === hash);
  if (waiting !== undefined) return { at: waiting.at, isNew: false };
  const at = (files.at(-1)?.at ?? 0) + 1;
  const draft = join(folder, "draft");
  try {
    writeFileSync(draft, JSON.stringify({ key, command }), { mode: 0o600 });
    renameSync(draft, join(folder, `${at}-${hash}.json`));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return { at, isNew: true };
}

/** The commands behind a place. */
export function readCommands(folder: string, after: number): readonly StoredCommand[] {
  return commandFiles(folder).flatMap(({ at, name, hash }) => {
    const command = at <= after || hash === settled ? undefined : readCommand(join(folder, name));
    return command === undefined ? [] : { at, ...command };
  });
}

/**
 * Removes commands. The last place stays taken, by an empty file: places are not used twice. The caller holds the lock for
 * changes.
 */
export function removeCommands(folder: string, places: readonly number[]): void {
  const files = commandFiles(folder);
  const last = files.at(-1);
  const done = files.filter(({ at, hash }) => hash === settled || places.includes(at));
  if (last !== undefined && done.includes(last))
    writeFileSync(join(folder, `${last.at}-${settled}`), "", { mode: 0o600 });
  for (const { name, at } of done) {
    if (name !== `${last?.at ?? at}-${settled}`) rmSync(join(folder, name), { force: true });
  }
  // Of a process that was killed while it sent.
  rmSync(join(folder, "draft"), { force: true });
}

function commandFiles(folder: string): readonly CommandFile[] {
  return readdirSync(folder)
    .flatMap((name): readonly CommandFile[] => {
      const [, at, hash] = /^(\d{1,15})-([\da-z]+)(?:\.json)?$/u.exec(name) ?? [];
      return at === undefined || hash === undefined ? [] : [{ at: Number(at), name, hash }];
    })
    .toSorted((a, b) => a.at - b.at);
}

function readCommand(path: string): Omit<StoredCommand, "at"> | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    // Removed meanwhile, with its session.
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || typeof value["key"] !== "string" || typeof value["command"] !== "string") {
    throw new TypeError(`${path} is no command. Remove the file`);
  }
  return { key: value["key"], command: value["command"] };
}
