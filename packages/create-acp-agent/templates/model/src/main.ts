#!/usr/bin/env node
// Comes first: what any module prints goes to stderr, because stdout belongs to the protocol.
import "@acp/node/guard";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { serveStdio } from "@acp/node";
import { createFileStore } from "@acp/sessions";
import type { ModelMessage } from "ai";
import { createMyAgent } from "./agent.ts";
import { askForKey } from "./login.ts";
import { chooseModel, readKey } from "./model.ts";

const folder = join(homedir(), ".my-agent");
const keyFile = join(folder, "key");

if (process.argv.includes("--login")) {
  process.exitCode = (await askForKey(keyFile)) ? 0 : 1;
} else {
  const store = createFileStore<ModelMessage>(join(folder, "sessions"));
  await serveStdio(
    createMyAgent({
      chooseModel: () => chooseModel(keyFile),
      hasKey: async () => (await readKey(keyFile)) !== "",
      store,
    }),
  );
}
