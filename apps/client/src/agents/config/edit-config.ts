import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

import { wrongConfiguration } from "../../cli/exit.ts";
import type { ConfigFile } from "./config.ts";
import { editMember, type MemberEdit } from "./edit-text.ts";
import { parseConfig, readConfig } from "./read-config.ts";

/**
 * Changes members of a configuration, and keeps everything else in its file as it is written. Makes the file if there is none.
 * Returns its new text.
 *
 * @throws {ProgramFailure} if the file is wrong, before or after the change, or cannot be written.
 */
export function editConfig(kind: ConfigFile["kind"], path: string, edits: readonly MemberEdit[]): string {
  const before = readConfig(path)?.text ?? emptyConfig(kind);
  const text = edits.reduce(editMember, before);
  parseConfig(text, path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    // In place: the file may be a link to one in a repository of the user.
    writeFileSync(path, text);
  } catch (error) {
    throw wrongConfiguration(`The configuration cannot be written: ${(error as Error).message}`);
  }
  return text;
}

/** A user's file names the schema, so that editors complete it. A project's is for others, whose machines have it elsewhere. */
function emptyConfig(kind: ConfigFile["kind"]): string {
  const schema = kind === "user" ? schemaPath() : undefined;
  return `${JSON.stringify(schema === undefined ? {} : { $schema: schema }, undefined, 2)}\n`;
}

/** The schema in this package: next to `dist/`, or to `src/`. */
function schemaPath(): string | undefined {
  const places = ["../schema/config.schema.json", "../../../schema/config.schema.json"];
  return places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
}
