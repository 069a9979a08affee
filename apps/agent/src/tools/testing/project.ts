import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { onTestFinished } from "vitest";

/** A folder with files, until the test ends. */
export interface Project {
  readonly path: string;
  at(name: string): string;
  read(name: string): string;
  write(name: string, content: string | Uint8Array): void;
  has(name: string): boolean;
}

export function createProject(files: Readonly<Record<string, string | Uint8Array>> = {}): Project {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "acp-tools-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const at = (name: string): string => join(path, name);
  const write = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  return { path, at, read: (name) => readFileSync(at(name), "utf8"), write, has: (name) => existsSync(at(name)) };
}
