import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { type ClientKind, clientKinds, connect, type ConnectOptions } from "../../tools/testing/clients.ts";
import { createWorkspace } from "../../workspace/create-workspace.ts";
import { type Guide, readGuides } from "./guides.ts";

function createFolder(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "acp-guides-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

interface Place extends Pick<ConnectOptions, "cwd" | "additionalDirectories" | "files"> {
  readonly configFolder?: string;
}

/** Reads the guides in a session of a client. */
async function read(kind: ClientKind, { configFolder, ...place }: Place) {
  let guides: readonly Guide[] = [];
  const client = await connect(kind, {
    ...place,
    answer: () => Promise.resolve("reject_once"),
    handle: async (turn, session) => {
      guides = await readGuides({ workspace: createWorkspace(turn, session), configFolder });
      return { stopReason: "end_turn" };
    },
  });
  expect(await client.prompt()).toBe("end_turn");
  return { texts: guides.map(({ from, text }) => `${from}: ${text}`), called: client.called };
}

describe.each(clientKinds)("guides, in a session of $name", (kind) => {
  test("are those of the user, of the working directory and above it, and of additional directories", async () => {
    const configFolder = createFolder({ "AGENTS.md": "Be brief.\n" });
    const above = createFolder({
      "AGENTS.md": "Of nobody",
      "repository/.git/HEAD": "",
      "repository/AGENTS.md": "Run the tests",
      "repository/packages/app/AGENTS.md": "Use tabs",
      "repository/packages/lib/AGENTS.md": "Not concerned",
    });
    const other = createFolder({ "AGENTS.md": "Other rules" });
    const cwd = join(above, "repository/packages/app");
    const { texts } = await read(kind, { cwd, additionalDirectories: [other], configFolder });
    expect(texts).toEqual(["user: Be brief.", "project: Use tabs", "project: Run the tests", "project: Other rules"]);
  });

  test("of folders above count in a repository alone", async () => {
    const above = createFolder({ "AGENTS.md": "Of nobody", "app/AGENTS.md": "Use tabs" });
    expect((await read(kind, { cwd: join(above, "app") })).texts).toEqual(["project: Use tabs"]);
  });

  test("may not exist: then nobody is asked for them", async () => {
    const cwd = createFolder({ "README.md": "No guide" });
    expect(await read(kind, { cwd })).toEqual({ texts: [], called: [] });
  });

  test("above the session cannot lead out of the repository", async () => {
    const secret = createFolder({ "secret.txt": "A secret" });
    const root = createFolder({ ".git/HEAD": "", "app/a.ts": "" });
    symlinkSync(join(secret, "secret.txt"), join(root, "AGENTS.md"));
    expect((await read(kind, { cwd: join(root, "app") })).texts).toEqual([]);
  });
});

test.skipIf(process.platform === "win32")("a pipe is not a guide (Windows has no such pipes)", async () => {
  const root = createFolder({ ".git/HEAD": "", "app/a.ts": "" });
  for (const folder of [root, join(root, "app")]) execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, "AGENTS.md")]);
  const kind = clientKinds.at(-1);
  if (kind === undefined) throw new Error("There is no client");
  const { texts } = await read(kind, { cwd: join(root, "app") });
  expect(texts).toEqual([expect.stringContaining("This file cannot be read: ")]);
});

test("the user's unsaved changes count", async () => {
  const cwd = createFolder({ "AGENTS.md": "Saved" });
  const [kind] = clientKinds;
  if (kind === undefined) throw new Error("There is no client");
  const { texts, called } = await read(kind, { cwd, files: { readOverlay: () => "Unsaved" } });
  expect(called).toEqual(["fs/read_text_file"]);
  expect(texts).toEqual(["project: Unsaved"]);
});

test("a guide that cannot be read does not keep the user from working", async () => {
  const cwd = createFolder({});
  mkdirSync(join(cwd, "AGENTS.md"));
  const kind = clientKinds.at(-1);
  if (kind === undefined) throw new Error("There is no client");
  expect((await read(kind, { cwd })).texts).toEqual([expect.stringContaining("This file cannot be read: ")]);
});
