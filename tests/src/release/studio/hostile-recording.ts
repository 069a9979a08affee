import type { RecordedMessage } from "@acp/record";

/** What a peer may send to get at who looks at it. */
const attacks = [
  "</script><script>window.hit = 1</script>",
  '<img src=x onerror="window.hit = 1">',
  "<!--<script>",
  "javascript:window.hit=1",
  "$& $` $' $1",
  "\u202Etxt.exe\u202C \u0007\u001B[31m \u2028\u2029",
  "\uD800 alone \uDC00",
  "__proto__",
  "<svg onload=window.hit=1>".repeat(50),
];

/** A session that a client would show, with an attack wherever a text may be. */
function hostileSession(): ["sent" | "received", unknown][] {
  const sessionId = "hostile";
  const all = attacks.join("\n");
  const text = (of: string): object => ({ type: "text", text: of });
  const updates: object[] = attacks.flatMap((attack, at) => {
    const content = [
      { type: "content", content: text(attack) },
      { type: "content", content: { type: "resource_link", name: attack, uri: "javascript:window.hit=1" } },
      { type: "content", content: { type: "image", data: attack, mimeType: "image/svg+xml", uri: attack } },
      { type: "diff", path: attack, oldText: attack, newText: `${attack}${attack}` },
    ];
    const call = { title: attack, kind: "edit", content, locations: [{ path: attack }], rawInput: { command: attack } };
    return [
      {
        sessionUpdate: "agent_message_chunk",
        messageId: `m-${at}`,
        content: text(`[${attack}](javascript:alert(1)) ${attack}`),
      },
      {
        sessionUpdate: "agent_thought_chunk",
        content: text(`\n\n${attack}\n<iframe src="javascript:window.hit=1">\n`),
      },
      { sessionUpdate: "tool_call", toolCallId: `t-${at}`, ...call },
      { sessionUpdate: "plan", entries: [{ content: attack, priority: "high", status: "pending" }] },
      { sessionUpdate: "session_info_update", title: attack },
      { sessionUpdate: "notice", severity: attack, title: attack, description: attack },
    ];
  });
  const toolCall = { toolCallId: "t-0", title: attacks[1], rawInput: { command: all, url: "javascript:window.hit=1" } };
  const options = attacks.map((name, at) => ({ optionId: `o-${at}`, name, kind: at === 0 ? "allow_once" : name }));
  return [
    ["sent", { jsonrpc: "2.0", id: "n", method: "session/new", params: { cwd: attacks[1], mcpServers: [] } }],
    ["received", { jsonrpc: "2.0", id: "n", result: { sessionId } }],
    ["sent", { jsonrpc: "2.0", id: "p", method: "session/prompt", params: { sessionId, prompt: [text(all)] } }],
    ...updates.map((update): ["received", unknown] => [
      "received",
      { jsonrpc: "2.0", method: "session/update", params: { sessionId, update } },
    ]),
    [
      "received",
      { jsonrpc: "2.0", id: "q", method: "session/request_permission", params: { sessionId, toolCall, options } },
    ],
    [
      "received",
      {
        jsonrpc: "2.0",
        id: "e",
        method: "elicitation/create",
        params: { sessionId, mode: "url", message: all, url: "javascript:window.hit=1", elicitationId: "e" },
      },
    ],
    ["sent", { jsonrpc: "2.0", id: "q", result: { outcome: { outcome: "selected", optionId: attacks[0] } } }],
  ];
}

/** A recording of a client and an agent that send anything. */
export function hostileRecording(): RecordedMessage[] {
  const messages: ["sent" | "received", unknown][] = [
    ["sent", { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } }],
    ["received", { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1, agentCapabilities: {} } }],
  ];
  for (const attack of attacks) {
    const update = { sessionUpdate: "tool_call", toolCallId: attack, title: attack, rawInput: { [attack]: attack } };
    messages.push(
      ["received", { jsonrpc: "2.0", id: attack, method: attack, params: { sessionId: attack, [attack]: attack } }],
      ["sent", { jsonrpc: "2.0", id: attack, error: { code: -32601, message: attack, data: attack } }],
      ["received", { jsonrpc: "2.0", method: "session/update", params: { sessionId: attack, update } }],
      ["received", attack],
    );
  }
  messages.push(...hostileSession());
  let deep: unknown = attacks[0];
  for (let level = 0; level < 500; level++) deep = level % 2 === 0 ? [deep] : { deep };
  messages.push(
    ["received", { jsonrpc: "2.0", method: "_deep", params: { deep } }],
    ["received", { jsonrpc: "2.0", method: "_large", params: { text: `${attacks[0]}\n`.repeat(240_000) } }],
    [
      "received",
      { jsonrpc: "2.0", method: "_wide", params: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [n, n])) },
    ],
    ["received", [1, null, "text"]],
    ["received", null],
    ["received", { jsonrpc: "2.0", id: { a: 1 }, result: null }],
    ["received", { jsonrpc: "2.0", method: "session/update", params: null }],
    ["received", { jsonrpc: "2.0", method: "session/update", params: { sessionId: 5, update: [] } }],
  );
  return messages.map(([direction, message], at) => ({
    time: at % 7 === 3 ? "no time" : new Date(1_772_000_000_000 + at * (at % 5 === 0 ? -90 : 40)).toISOString(),
    direction,
    message,
  }));
}
