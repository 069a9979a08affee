// The journal of a hub in files, on every runtime that runs the sources as they are.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { createFolder } from "../../../packages/sessions/test/support/folder.ts";
import { sourceCommandOn } from "../support/runtimes.ts";
import { modelRuntimes } from "../support/tested-runtimes.ts";

const program = fileURLToPath(new URL("programs/hub-journal.ts", import.meta.url));

test.each(modelRuntimes)("a hub keeps its sessions in files on %s", async (name) => {
  const { command, args } = sourceCommandOn(name, program, [createFolder()]);
  const { stdout } = await promisify(execFile)(command, args);
  expect(JSON.parse(stdout)).toEqual({
    woken: ["s"],
    refused: { heldBy: "one" },
    commands: [{ at: 1, key: "key", command: "command" }],
    left: [],
    gone: "gone",
    next: { session: "s", keeper: "two", epoch: 2, next: 301 },
    isWhole: true,
    listed: [["s", "Title"]],
    removed: true,
  });
});
