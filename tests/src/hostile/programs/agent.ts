/** The agent under attack: every method has a handler, and diagnostics are told on stderr. */
import { contentLength, createAgent, ndjson } from "@acp/core";
import { serveStdio } from "@acp/node";
import type { AgentMethods } from "@acp/schema/v1";

import { answerProbe, behave, type CallOrder, makeCall, tellDiagnostic } from "./behaviours.ts";

type ConfigOption = AgentMethods["session/set_config_option"]["result"]["configOptions"][number];

const configOptions: ConfigOption[] = [
  { type: "select", id: "effort", name: "Effort", currentValue: "low", options: [{ value: "low", name: "Low" }] },
];

const agent = createAgent({
  info: { name: "attacked-agent", version: "1" },
  capabilities: {
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { additionalDirectories: {} },
  },
  authMethods: [{ id: "login", name: "Log in" }],
  gate: "diagnose",
  handlers: {
    authenticate: () => {},
    logout: () => {},
    "session/load": () => {},
    "session/resume": () => {},
    "session/list": () => ({ sessions: [] }),
    "session/close": () => {},
    "session/delete": () => {},
    "session/set_mode": () => {},
    "session/set_config_option": () => ({ configOptions }),
    "session/prompt": async ({ prompt: [first] }, { signal }) => {
      if (first?.type === "text") await behave({ what: first.text }, signal);
      return { stopReason: "end_turn" };
    },
    _any: () => {},
    _echo: (params: unknown) => params,
    _try: async (params, { client, signal }) => void (await client.request("_ask", behave(params, signal))),
    _probe: answerProbe,
    _do: (params, { signal }) => behave(params, signal),
    _note: (params, { signal }) => behave(params, signal),
    _call: (order: CallOrder, { client }) => makeCall(order, client),
  },
});

await serveStdio(agent, {
  framing: process.argv.includes("content-length") ? contentLength : ndjson,
  onDiagnostic: tellDiagnostic,
});
