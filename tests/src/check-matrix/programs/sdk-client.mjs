// `sdk-client.mjs <prompt> <agent command…>`: a client of a few lines with the official TypeScript SDK. Prints text as it comes.
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";

import { client, ndJsonStream } from "@agentclientprotocol/sdk";

const [prompt, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const app = client({ name: "sdk-client" });
app.onNotification("session/update", ({ params: { update } }) => {
  if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
    process.stdout.write(update.content.text);
});
app.onRequest("session/request_permission", ({ params: { options } }) => ({
  outcome: { outcome: "selected", optionId: options[0].optionId },
}));
const connection = app.connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
const { agent } = connection;
const clientInfo = { name: "sdk-client", version: "1.0.0" };
const { protocolVersion } = await agent.request("initialize", {
  protocolVersion: 1,
  clientCapabilities: {},
  clientInfo,
});
if (protocolVersion !== 1) {
  child.kill();
  throw new Error(`The agent speaks version ${protocolVersion}`);
}
const { sessionId } = await agent.request("session/new", { cwd: process.cwd(), mcpServers: [] });
process.once("SIGINT", () => void agent.notify("session/cancel", { sessionId }));
const { stopReason } = await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: prompt }] });
if (stopReason !== "end_turn") console.error(stopReason);
child.kill("SIGKILL");
