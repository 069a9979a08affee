import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { readFileCommands } from "./file-commands.ts";

function createFolder(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "acp-commands-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test("commands come from the user, the working directory, and those above it up to the repository", async () => {
  const user = createFolder({ "commands/mine.md": "Of the user", "commands/both.md": "The user's" });
  const repository = createFolder({
    ".git/HEAD": "",
    ".claude/commands/all.md": "Of the repository",
    ".claude/commands/near.md": "Far",
    "app/.agents/commands/near.md": "Near",
    "app/.agents/commands/both.md": "The project's",
    "app/.agents/commands/git/commit.md": "In a folder",
  });
  const other = createFolder({ ".agents/commands/other.md": "Of another directory" });
  const commands = await readFileCommands([join(repository, "app"), other], user);
  expect(commands.map(({ name, description }) => [name, description])).toEqual([
    ["all", "Of the repository"],
    ["both", "The user's"],
    ["commit", "In a folder"],
    ["mine", "Of the user"],
    ["near", "Near"],
    ["other", "Of another directory"],
  ]);
});

test("only a prompt can be a command", async () => {
  const secret = createFolder({ "secret.md": "A secret" });
  const folder = createFolder({
    ".agents/commands/notes.txt": "No Markdown",
    ".agents/commands/two words.md": "No name",
    ".agents/commands/empty.md": "---\ndescription: nothing\n---\n",
    ".agents/commands/large.md": "x".repeat(100_000),
    ".agents/commands/right.md": "A prompt",
  });
  symlinkSync(join(secret, "secret.md"), join(folder, ".agents/commands/link.md"));
  const commands = await readFileCommands([folder]);
  expect(commands.map(({ name }) => name)).toEqual(["right"]);
});
