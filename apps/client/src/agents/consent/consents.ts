import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";

import { replaceFileSync } from "@acp/sessions/internal";

import { foldersOf } from "../folders.ts";
import type { Environment, Streams } from "../../cli/streams.ts";

/** What the user has agreed to, remembered in a file. */
export interface Consents {
  /** Whether the user has agreed to this content of a subject, such as a file. */
  has(subject: string, content: string): boolean;
  /** Whether the user has agreed to any content of it. */
  knows(subject: string): boolean;
  /** Remembers that. A subject has one content: an earlier one is forgotten. */
  add(subject: string, content: string): void;
}

/** Opens the user's consents, in the state directory. */
export function openConsents(env: Environment): Consents {
  const path = join(foldersOf(env).state, "consents.json");
  return {
    has: (subject, content) => readAll(path)[subject] === hashOf(content),
    knows: (subject) => Object.hasOwn(readAll(path), subject),
    add(subject, content) {
      const all = { ...readAll(path), [subject]: hashOf(content) };
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      replaceFileSync(path, `${JSON.stringify(all, undefined, 2)}\n`);
    },
  };
}

/** An unreadable file holds no consent: the user is asked again. */
function readAll(path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function hashOf(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Asks a question that is answered by yes or no, on stderr. Everything but a yes is a no, and so is the end of the input. */
export async function ask(question: string, streams: Streams): Promise<boolean> {
  return /^y(?:es)?$/iu.test(await askLine(`${question} [y/N] `, streams));
}

/** Asks for a line, on stderr; an empty one at the end of the input. */
export async function askLine(question: string, { input, error }: Streams): Promise<string> {
  const reader = createInterface({ input, output: error });
  const ended = new Promise<string>((resolve) => {
    reader.once("close", () => resolve(""));
  });
  // Without a listener, Ctrl-C would end the process in the middle of a line.
  reader.once("SIGINT", () => {
    error.write("\n");
    reader.close();
  });
  try {
    return (await Promise.race([reader.question(question), ended])).trim();
  } finally {
    reader.close();
  }
}
