/** Messages for tests. */
export type Sent = readonly ["agent" | "client", unknown];

export function call(id: unknown, method: string, params: object): object {
  return { jsonrpc: "2.0", id, method, params };
}

export function update(sessionId: string, of: object): object {
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update: of } };
}

export function chunk(text: string, sessionId: string): object {
  return update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
}

export function prompt(id: number, sessionId: string): object {
  return call(id, "session/prompt", { sessionId, prompt: [{ type: "text", text: "Fix it" }] });
}

/** Four messages that open a session. */
export function openingOf(sessionId: string, protocolVersion = 1): readonly Sent[] {
  return [
    ["client", call(0, "initialize", { protocolVersion, clientCapabilities: { fs: { readTextFile: true } } })],
    ["agent", { jsonrpc: "2.0", id: 0, result: { protocolVersion } }],
    ["client", call(1, "session/new", { cwd: "/project", mcpServers: [] })],
    ["agent", { jsonrpc: "2.0", id: 1, result: { sessionId } }],
  ];
}
