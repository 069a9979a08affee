// A turn with a model, through the package `ai` and a provider of it, on every runtime that these support.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { serveModel } from "../support/models/model-server.ts";
import { sourceCommandOn } from "../support/runtimes.ts";
import { modelRuntimes } from "../support/tested-runtimes.ts";

const program = fileURLToPath(new URL("programs/model-turn.ts", import.meta.url));

test.each(modelRuntimes)("an agent with a model works on %s", async (name) => {
  await using model = await serveModel([{ prompt: "list it", begins: "I look.\n", command: "ls", ends: "Done." }]);
  const { command, args } = sourceCommandOn(name, program, [`${model.url}/v1`]);
  const { stdout } = await promisify(execFile)(command, args);
  expect(JSON.parse(stdout)).toEqual({ text: "I look.\nDone.", status: "completed", stopReason: "end_turn" });
  expect(model.exchanges.at(-1)?.request.parts).toContainEqual({ from: "tool", text: "The output of ls" });
});
