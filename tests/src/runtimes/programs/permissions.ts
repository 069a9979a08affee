/** Tries what hosts do, and prints as JSON how each attempt ended: `null`, or how it failed. */
import * as runtime from "#runtime";
import { createClient } from "@acp/core";

import { testSession } from "../host-session.ts";
import { argument } from "../command-line.ts";

const client = createClient({ info: { name: "test-client", version: "1" }, handlers: {} });
const directory = argument("directory");
const session = testSession(directory);
const path = `${directory}/file`;

async function ending(attempt: () => Promise<unknown>): Promise<string | null> {
  try {
    await attempt();
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

const files = runtime.fileSystem();
const terminals = runtime.terminals();
const endings = {
  spawn: await ending(() => runtime.spawnAgent(client, { command: "true" })),
  unknown: await ending(() => runtime.spawnAgent(client, { command: "acp-no-such-command", cwd: directory })),
  nowhere: await ending(() => runtime.spawnAgent(client, { command: "true", cwd: `${directory}/nowhere` })),
  outside: await ending(() => files["fs/read_text_file"]({ path: "/etc/hostname" }, session)),
  read: await ending(() => files["fs/read_text_file"]({ path }, session)),
  write: await ending(() => files["fs/write_text_file"]({ path, content: "new" }, session)),
  terminal: await ending(() => terminals["terminal/create"]({ sessionId: "session", command: "true" }, session)),
};
console.log(JSON.stringify(endings));
