// The same of `@acp/core/unstable`, where it differs.
import * as core from "@acp/core/unstable";
import { createSessionState } from "@acp/core/state";

const info = { name: "declared", version: "1.0.0" };
const [transport] = core.createMemoryTransportPair();

export const agent = core.createAgent({
  info,
  handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
});
export const client = core.createClient({ info });
export const connected = await client.connect(transport);
export const session = await connected.newSession({ cwd: "/" });
export const forked = await connected.forkSession({ sessionId: session.id, cwd: "/" });
export const turn = session.prompt("Hello");
export const updates = turn.updates;
export const response = await turn.response;
export const store = createSessionState(session);
export const mcpServers: readonly core.McpServer[] = [];
export const prompted = async (current: core.AgentTurn, open: core.AgentSession) => ({
  open,
  call: await current.toolCall({ title: "Read" }),
  subagent: await current.subagent({ title: "Reader" }),
});
export const extended = core.extend(core.v1, { agent: { "_x/ask": core.request<object, object>() } });
export const mine = await core.createClientFor(extended)({ info }).connect(transport);
export const mySession = await mine.newSession({ cwd: "/" });
