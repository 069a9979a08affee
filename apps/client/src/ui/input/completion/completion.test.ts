import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { idleState } from "../../testing/chat-states.ts";
import { openTypedInput } from "../../testing/typed-input.ts";
import { bestFitting } from "../../../text/fuzzy.ts";
import { listFiles, createProjectFiles, type ProjectFiles } from "../../../text/project-files.ts";

const commands = [
  { name: "model", takesInput: false, description: "Choose the model", hint: "model", isOwn: true },
  { name: "mode", takesInput: false, description: "Choose the mode", isOwn: true },
  { name: "new", takesInput: false, description: "Open a new session", isOwn: true },
  { name: "evil\nname", takesInput: false, description: "", isOwn: false },
];

let cwd = "";
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "acp-files-"));
  mkdirSync(join(cwd, "src/my folder"), { recursive: true });
  for (const file of ["README.md", "src/main.ts", "src/my folder/a b.ts", "ignored.log"]) {
    writeFileSync(join(cwd, file), "text");
  }
  writeFileSync(join(cwd, ".gitignore"), "*.log\n");
});
afterEach(() => rmSync(cwd, { recursive: true }));

const open = (files?: ProjectFiles) => openTypedInput({ ...idleState, cwd, session: undefined, commands }, { files });

test("commands are listed with their descriptions, and Enter runs the selected one", async () => {
  const { screen, done } = await open();
  await using _ = screen;
  await screen.type("/");
  expect(screen.frame).toBe(
    "> /\n❯ /model <model>  Choose the model\n  /mode           Choose the mode\n  /new            Open a new session",
  );
  await screen.type("mode");
  expect(screen.frame).toContain("❯ /mode ");
  await screen.type("\r");
  await screen.type("/ne\r");
  await screen.type("/mod\t");
  expect(screen.frame).toMatch(/^> \/mode/u);
  expect(done).toEqual([
    ["submit", { text: "/mode", attachments: [] }],
    ["submit", { text: "/new", attachments: [] }],
  ]);
});

test("a command that takes something is only filled in, and Esc closes the list", async () => {
  const { screen, done } = await open();
  await using _ = screen;
  await screen.type("/model");
  await screen.type("\u001B[27u");
  expect(screen.frame).toBe("> /model");
  await screen.type("\u007F");
  expect(screen.frame).toContain("❯ /mode");
  await screen.type("\u001B[B");
  await screen.type("\r");
  expect(screen.frame).toBe("> /model");
  expect(done).toEqual([]);
  await screen.type("big\r");
  expect(done).toEqual([["submit", { text: "/model big", attachments: [] }]]);
});

test("files of the project complete behind @, in quotes if they have spaces, and become attachments", async () => {
  const files = createProjectFiles(cwd);
  const { screen, done } = await open(files);
  await using _ = screen;
  await screen.type("see @ab");
  await vi.waitFor(() => expect(screen.frame).toContain("❯ src/my folder/a b.ts"));
  await screen.type("\t");
  await screen.type("and @main\r");
  expect(screen.frame).toBe('> see @"src/my folder/a b.ts" and @src/main.ts');
  await screen.type("\r");
  const attachment = (path: string) => ({ path: join(cwd, path), kind: "file", mimeType: undefined });
  expect(done).toEqual([
    [
      "submit",
      {
        text: 'see @"src/my folder/a b.ts" and @src/main.ts',
        attachments: [attachment("src/my folder/a b.ts"), attachment("src/main.ts")],
      },
    ],
  ]);
});

test("listFiles() skips files that git ignores, and walks the folder when git is missing", async () => {
  expect((await listFiles(cwd)).toSorted()).toEqual([
    ".gitignore",
    "README.md",
    "ignored.log",
    "src/main.ts",
    "src/my folder/a b.ts",
  ]);
  execFileSync("git", ["init", "-q"], { cwd });
  expect((await listFiles(cwd)).toSorted()).toEqual([".gitignore", "README.md", "src/main.ts", "src/my folder/a b.ts"]);
});

test("bestFitting() ranks the likely match first, even among a hundred thousand files", () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `packages/p${index % 500}/src/deep/file-${index}.ts`);
  const files = [...many, "apps/client/src/ui/input/input-store.ts", "docs/input.md"];
  expect(bestFitting(files, "input", 3)[0]).toBe("docs/input.md");
  expect(bestFitting(files, "inputst", 3)[0]).toBe("apps/client/src/ui/input/input-store.ts");
  expect(bestFitting(files, "acuiis", 3)[0]).toBe("apps/client/src/ui/input/input-store.ts");
  expect(bestFitting(files, "p7file-12507", 1)).toEqual(["packages/p7/src/deep/file-12507.ts"]);
  expect(bestFitting(files, "no such file", 3)).toEqual([]);
});
