/** The client under attack: it spawns the attacker's agent, and tells its diagnostics on stderr. */
import { fileURLToPath } from "node:url";

import { contentLength, createClient, ndjson } from "@acp/core";
import { spawnAgent } from "@acp/node";

import { answerProbe, behave, type CallOrder, makeCall, tell, tellDiagnostic, tellOutcome } from "./behaviours.ts";

const [port = "", framing] = process.argv.slice(2);

const client = createClient({
  info: { name: "attacked-client", version: "1" },
  capabilities: {
    elicitation: { form: {}, url: {} },
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
  },
  gate: "diagnose",
  handlers: {
    "session/request_permission": () => ({ outcome: { outcome: "cancelled" } }),
    "session/update": () => {},
    "elicitation/create": () => ({ action: "decline" }),
    "elicitation/complete": () => {},
    "fs/read_text_file": () => ({ content: "" }),
    "fs/write_text_file": () => {},
    "terminal/create": () => ({ terminalId: "t" }),
    "terminal/output": () => ({ output: "", truncated: false }),
    "terminal/wait_for_exit": () => ({ exitCode: 0 }),
    "terminal/kill": () => {},
    "terminal/release": () => {},
    _any: () => {},
    _echo: (params: unknown) => params,
    _try: async (params, { agent, signal }) => void (await agent.request("_ask", behave(params, signal))),
    _probe: answerProbe,
    _do: (params, { signal }) => behave(params, signal),
    _note: (params, { signal }) => behave(params, signal),
    _call: (order: CallOrder, { agent }) => makeCall(order, agent),
  },
});

const connecting = spawnAgent(client, {
  command: process.execPath,
  args: [fileURLToPath(new URL("raw-agent.ts", import.meta.url)), port],
  framing: framing === "content-length" ? contentLength : ndjson,
  onDiagnostic: tellDiagnostic,
  shutdown: { eofGrace: 100 },
  startTimeout: 10_000,
});
void tellOutcome(
  0,
  connecting.then(() => "connected"),
);
try {
  const agent = await connecting;
  await agent.closed;
  await agent.process.exited;
} catch {
  tell({ ended: true });
}
