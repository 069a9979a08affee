import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { onTestFinished } from "vitest";

/** A folder with files, until the test ends. */
export interface TestProject {
  readonly path: string;
  at(name: string): string;
  write(name: string, text: string): void;
  read(name: string): string;
  has(name: string): boolean;
}

export function createProject(files: Readonly<Record<string, string>> = {}): TestProject {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "acp-coder-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const at = (name: string): string => join(path, name);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return { path, at, write, read: (name) => readFileSync(at(name), "utf8"), has: (name) => existsSync(at(name)) };
}
