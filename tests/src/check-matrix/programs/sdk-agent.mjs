// An agent of a few lines with the official TypeScript SDK. The prompt `ask` asks for permission, and `wait` takes a minute.
import { isAbsolute } from "node:path";
import { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";

import { agent, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

const turns = new Map();
const sessions = new Set();
const app = agent({ name: "sdk-agent" });
app.onRequest("initialize", () => ({
  protocolVersion: 1,
  agentCapabilities: {},
  agentInfo: { name: "sdk-agent", version: "1.0.0" },
  authMethods: [],
}));
app.onRequest("session/new", ({ params: { cwd } }) => {
  if (!isAbsolute(cwd)) throw RequestError.invalidParams({ cwd }, "The cwd has to be an absolute path");
  const sessionId = `session-${sessions.size + 1}`;
  sessions.add(sessionId);
  return { sessionId };
});
app.onRequest("session/prompt", async ({ params: { sessionId, prompt }, client }) => {
  if (!sessions.has(sessionId)) throw RequestError.invalidParams({ sessionId }, "There is no such session");
  if (turns.has(sessionId)) throw RequestError.invalidRequest({ sessionId }, "A prompt runs already");
  const turn = new AbortController();
  turns.set(sessionId, turn);
  return await play({ sessionId, prompt, client, turn }).finally(() => turns.delete(sessionId));
});
app.onNotification("session/cancel", ({ params }) => turns.get(params.sessionId)?.abort());

async function play({ sessionId, prompt, client, turn }) {
  const text = prompt.map((block) => block.text ?? "").join("");
  const say = (words) =>
    client.notify("session/update", {
      sessionId,
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } },
    });
  await say("You said: ");
  if (text === "ask") {
    const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
    const toolCall = { toolCallId: "call-1", title: "Look", status: "pending" };
    await client.notify("session/update", { sessionId, update: { sessionUpdate: "tool_call", ...toolCall } });
    const answer = client.request("session/request_permission", { sessionId, toolCall, options }).catch(() => {});
    const cancelled = new Promise((resolve) => turn.signal.addEventListener("abort", () => resolve(undefined)));
    const outcome = (await Promise.race([answer, cancelled]))?.outcome;
    const isAllowed = !turn.signal.aborted && outcome?.outcome === "selected" && outcome.optionId === "yes";
    const status = isAllowed ? "completed" : "failed";
    const update = { sessionUpdate: "tool_call_update", toolCallId: "call-1", status };
    await client.notify("session/update", { sessionId, update });
  }
  const steps = text === "wait" ? 600 : 0;
  for (let step = 1; step <= steps && !turn.signal.aborted; step++) {
    await say(`${step} `);
    await setTimeout(100, undefined, { signal: turn.signal }).catch(() => {});
  }
  if (turn.signal.aborted) return { stopReason: "cancelled" };
  await say(text);
  return { stopReason: "end_turn" };
}

await app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin))).closed;
