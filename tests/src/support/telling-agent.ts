import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A request that a telling agent got. */
export interface Told {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Writes an agent in plain JSON that answers each prompt with all requests that it got, as one line of JSON, and returns how to
 * start it. It has a model, a mode and a switch, and opens sessions again. `slow` as the prompt gets no answer until it is cancelled.
 */
export function tellingAgent(directory: string, capabilities: object = {}): string[] {
  const file = join(directory, "telling-agent.mjs");
  const all = {
    loadSession: true,
    promptCapabilities: { image: true, embeddedContext: true },
    ...capabilities,
  };
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const told = [];
const choices = (...values) => values.map((value) => ({ value, name: value.toUpperCase() }));
const options = [
  { id: "m", name: "Model", category: "model", type: "select", currentValue: "small", options: choices("small", "large") },
  { id: "d", name: "Mode", category: "mode", type: "select", currentValue: "ask", options: choices("ask", "code") },
  { id: "web", name: "Web search", type: "boolean", currentValue: false },
];
const opened = (sessionId) => ({ sessionId, configOptions: options });
let slow;
const answers = {
  initialize: () => ({ protocolVersion: 1, agentInfo: { name: "telling", version: "1" }, agentCapabilities: ${JSON.stringify(all)} }),
  "session/new": () => opened("id-of-it"),
  "session/load": ({ sessionId }) => opened(sessionId),
  "session/resume": ({ sessionId }) => opened(sessionId),
  "session/set_config_option": ({ configId, value }) => {
    options.find(({ id }) => id === configId).currentValue = value;
    return { configOptions: options };
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "session/cancel") send({ id: slow, result: { stopReason: "cancelled" } });
  if (id === undefined || method === undefined) continue;
  told.push({ method, params });
  if (method !== "session/prompt") send({ id, result: answers[method]?.(params) ?? {} });
  else if (params.prompt[0].text === "slow") slow = id;
  else {
    const text = JSON.stringify(told);
    send({ method: "session/update", params: { sessionId: params.sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
    send({ id, result: { stopReason: "end_turn" } });
  }
}
`,
  );
  return ["--", process.execPath, file];
}

/** The requests in what the client has printed. */
export function toldIn(stdout: string): readonly Told[] {
  const [line = "[]"] = /\[\{"method".*/u.exec(stdout) ?? [];
  return JSON.parse(line) as Told[];
}

/** The params of the last request with this method. */
export function paramsOf(told: readonly Told[], method: string): Readonly<Record<string, unknown>> | undefined {
  return told.findLast((one) => one.method === method)?.params;
}
