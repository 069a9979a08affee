// Uses an agent that is served over HTTP: first without the right token, then with it. It starts the server beside it,
// which could be on any other machine.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { createClient } from "@acp/core";
import { createHttpTransport, HttpError } from "@acp/http";

const served = spawn(process.execPath, [join(import.meta.dirname, "agent.ts")], {
  stdio: ["ignore", "pipe", "inherit"],
});
const url = await new Promise<string>((resolve) => createInterface({ input: served.stdout }).once("line", resolve));

const client = createClient({ info: { name: "remote-client", version: "1.0.0" } });
try {
  await client.connect(createHttpTransport(url));
} catch (error) {
  if (!(error instanceof HttpError)) throw error;
  console.log(`Refused with ${error.status}: ${error.body}`);
}

const agent = await client.connect(createHttpTransport(url, { headers: { Authorization: "Bearer token-of-ada" } }));
const session = await agent.newSession({ cwd: process.cwd() });
for await (const update of session.prompt("Hi").updates) {
  if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
    console.log(update.content.text);
}
await agent.close();
served.kill();
