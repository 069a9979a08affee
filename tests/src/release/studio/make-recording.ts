import type { RecordedMessage } from "@acp/record";

import { createRandom } from "../../fuzz/engine/mutate.ts";

const words =
  "the test fails because index starts at one total sums all items of the list run it again with npm fix file change line agent reads writes answer question plan step done wait terminal output".split(
    " ",
  );
const ids = ["s-1", "s-2", "s-3", "s-4", "s-5"];

/** Makes a recording as a client and an agent make it: sessions, turns, chunks of texts, calls, requests; some of it is wrong. */
export function makeRecording(count: number, seed = 1): RecordedMessage[] {
  const random = createRandom(seed);
  const recording: RecordedMessage[] = [];
  let time = Date.UTC(2026, 2, 1, 10);
  let id = 0;
  const push = (direction: "sent" | "received", message: object): void => {
    time += random(8) === 0 ? random(400) : random(20);
    recording.push({ time: new Date(time).toISOString(), direction, message: { jsonrpc: "2.0", ...message } });
  };
  const text = (length: number): string => Array.from({ length }, () => words[random(words.length)]).join(" ");
  const update = (sessionId: string, of: object): void =>
    push("received", { method: "session/update", params: { sessionId, update: of } });
  const request = (direction: "sent" | "received", method: string, params: object, result: object): void => {
    push(direction, { id: ++id, method, params });
    push(direction === "sent" ? "received" : "sent", { id, result });
  };
  const fs = { readTextFile: true, writeTextFile: true };
  const initialize = { protocolVersion: 1, clientCapabilities: { fs, terminal: true } };
  request("sent", "initialize", initialize, { protocolVersion: 1, agentCapabilities: {} });
  for (const sessionId of ids) request("sent", "session/new", { cwd: "/project", mcpServers: [] }, { sessionId });
  while (recording.length < count) {
    const sessionId = ids[random(ids.length)]!;
    const prompt = { sessionId, prompt: [{ type: "text", text: text(10 + random(30)) }] };
    const promptId = ++id;
    push("sent", { id: promptId, method: "session/prompt", params: prompt });
    for (let call = random(6); call >= 0; call--) {
      for (let chunk = 5 + random(40); chunk > 0; chunk--)
        update(sessionId, {
          sessionUpdate: random(5) === 0 ? "agent_thought_chunk" : "agent_message_chunk",
          content: { type: "text", text: `${text(1 + random(4))} ` },
        });
      const toolCallId = `call-${++id}`;
      const status = random(400) === 0 ? "running" : "pending";
      update(sessionId, { sessionUpdate: "tool_call", toolCallId, title: text(4), kind: "edit", status });
      request(
        "received",
        "fs/read_text_file",
        { sessionId, path: "/project/a.js" },
        { content: text(20 + random(300)) },
      );
      const content = [{ type: "content", content: { type: "text", text: text(20 + random(60)) } }];
      update(sessionId, { sessionUpdate: "tool_call_update", toolCallId, status: "completed", content });
    }
    push("received", { id: promptId, result: { stopReason: "end_turn" } });
  }
  return recording.slice(0, count);
}

/** A recording as a file has it. */
export function linesOf(recording: readonly RecordedMessage[]): string {
  return recording.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}
