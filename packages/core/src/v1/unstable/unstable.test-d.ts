// The types that users of the unstable entry rely on, and users of the stable one do not see.
import { unknownVariant } from "@acp/schema";
import type * as stableSchema from "@acp/schema/v1";
import type * as schema from "@acp/schema/v1/unstable";
import * as stable from "../index.ts";
import {
  type AgentTurn,
  type ClientDefinition,
  type ClientSession,
  createAgent,
  createAgentFor,
  createClient,
  type ConnectedAgent,
  createClientFor,
  extend,
  request,
  type SessionSetup,
  type Turn,
  v1,
} from "./entry.ts";

// It includes all stable types.
declare const stableUpdate: stableSchema.SessionUpdate;
stableUpdate satisfies schema.SessionUpdate;

const info = { name: "x", version: "1" };
const prompt = () => ({ stopReason: "end_turn" }) as const;

createAgent({
  info,
  capabilities: { mcpCapabilities: { acp: true }, sessionCapabilities: { systemPrompt: { mode: { override: {} } } } },
  session: (setup) => ({
    parent: setup.method === "session/fork" ? setup.params.sessionId : undefined,
    system: setup.params.systemPrompt?.mode,
  }),
  onUpdate: (update, session) => {
    if (update.sessionUpdate === "plan_removed") session.state.parent?.concat(update.planId);
  },
  authMethods: (client) => (client.plan == null ? [] : []),
  handlers: {
    "session/fork": (params, { session }) => {
      params.sessionId.toUpperCase();
      return { sessionId: session.id, configOptions: [] };
    },
    "session/archive": ({ sessionId }) => void sessionId.toUpperCase(),
    "session/unarchive": () => {},
    "session/status": () => ({ status: "open" }),
    "session/set_title": ({ title }) => ({ title }),
    "auth/status": () => ({ state: "authenticated" }),
    "providers/list": () => ({ providers: [] }),
    "providers/set": () => {},
    "providers/disable": () => {},
    "mcp/message": ({ serverId }) => void serverId.toUpperCase(),
    "session/prompt": async (_params, { turn, session, client }) => {
      await turn.update({ sessionUpdate: "plan_removed", planId: "1" });
      await session.update({ sessionUpdate: "subagent_update", sessionId: "a", title: "A" });
      for (const server of session.mcpServers) if (server.type === "acp") server.serverId.toUpperCase();
      client.capabilities.subagents?._meta;
      const answer = await client.request("mcp/message", { serverId: "s", requestId: "1", method: "tools/list" });
      if ("error" in answer) answer.error.code.toFixed();
      await client.notify("auth/status_update", { state: "unknown" });
      // @ts-expect-error no such update
      await turn.update({ sessionUpdate: "plan_gone", planId: "1" });
      await turn.planUpdate({ type: "markdown", planId: "1", content: "- [ ] Test" }, { _meta: { a: 1 } });
      // @ts-expect-error a plan in a file has no content
      await turn.planUpdate({ type: "file", planId: "1", content: "- [ ] Test" });
      await turn.planRemoved("1");
      const search = await turn.subagent({ title: "Search", state: { state: "running" } });
      await search.report({ state: { state: "idle", stopReason: "end_turn" } });
      await search.update({ sessionUpdate: "session_message", messageId: "m" });
      // @ts-expect-error no such state
      await search.report({ state: { state: "busy" } });
      return { stopReason: "end_turn", usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 } };
    },
  },
});

// A stable agent cannot do any of that.
stable.createAgent({
  info,
  handlers: {
    "session/prompt": async (_params, { turn, client, session }) => {
      // @ts-expect-error unstable
      await turn.update({ sessionUpdate: "plan_removed", planId: "1" });
      // @ts-expect-error unstable
      await turn.planRemoved("1");
      // @ts-expect-error unstable
      await turn.subagent({ title: "Search" });
      // @ts-expect-error unstable
      await client.request("mcp/message", { serverId: "s", requestId: "1", method: "tools/list" });
      // @ts-expect-error unstable
      for (const server of session.mcpServers) if (server.type === "acp") break;
      return { stopReason: "end_turn" };
    },
  },
});
const forks = { "session/prompt": prompt, "session/fork": () => ({ sessionId: "x" }) };
// @ts-expect-error unstable
stable.createAgent({ info, handlers: forks });
createAgent({ info, handlers: forks });
// @ts-expect-error unstable
stable.createAgent({ info, capabilities: { mcpCapabilities: { acp: true } }, handlers: { "session/prompt": prompt } });
// @ts-expect-error unstable
stable.createClient({ info, capabilities: { plan: {} } });

export const client: ClientDefinition = createClient({
  info,
  capabilities: { plan: {}, subagents: {} },
  handlers: {
    "session/update": ({ update }, { session }) => {
      session.id.toUpperCase();
      switch (update.sessionUpdate) {
        case "plan_update":
          if (update.plan.type === "markdown") update.plan.content.toUpperCase();
          break;
        case "plan_removed":
          update.planId.toUpperCase();
          break;
        case "subagent_update":
        case "session_message":
        case "session_message_chunk":
          break;
        case unknownVariant:
          Object.keys(update.received);
          break;
      }
    },
    "mcp/message": ({ method }) => ({ result: { method } }),
    "auth/status_update": ({ state }) => void state.toUpperCase(),
  },
});

/** The members of a connected agent. */
export async function use(agent: ConnectedAgent): Promise<ClientSession> {
  agent.capabilities.sessionCapabilities?.fork?._meta;
  const servers: schema.McpServer[] = [{ type: "acp", serverId: "s", name: "S" }];
  const session: ClientSession = await agent.newSession({ cwd: "/x", mcpServers: servers });
  const fork = await agent.forkSession({ cwd: "/x", sessionId: session.id });
  // @ts-expect-error the session to fork is missing
  await agent.forkSession({ cwd: "/x" });
  const turn: Turn = fork.prompt("Hello");
  for await (const update of turn.updates) if (update.sessionUpdate === "plan_removed") update.planId.toUpperCase();
  for await (const update of fork.updates) if (update.sessionUpdate === "plan_removed") update.planId.toUpperCase();
  const { usage } = await turn.response;
  usage?.totalTokens.toFixed();
  await session.agent.request("session/set_title", { title: "T" });
  return fork;
}
export async function useStable(agent: stable.ConnectedAgent): Promise<void> {
  // @ts-expect-error unstable
  await agent.forkSession({ cwd: "/x", sessionId: "s" });
  // @ts-expect-error unstable
  await agent.newSession({ cwd: "/x", mcpServers: [{ type: "acp", serverId: "s", name: "S" }] });
}

// Extended protocols have the vocabulary of their base.
const acme = extend(v1, { agent: { "_acme/ping": request<{ text: string }, { reply: string }>() } });
createAgentFor(acme)({
  info,
  session: ({ cwd }) => ({ cwd }),
  handlers: {
    "session/prompt": async (_params, { turn, session }) => {
      session.state.cwd.toUpperCase();
      await turn.update({ sessionUpdate: "plan_removed", planId: "1" });
      return { stopReason: "end_turn" };
    },
    "_acme/ping": ({ text }) => ({ reply: text }),
  },
});
export async function useAcme(transport: stable.Transport): Promise<string> {
  const agent = await createClientFor(acme)({ info }).connect(transport);
  const session = await agent.forkSession({ cwd: "/x", sessionId: "s" });
  return (await session.agent.request("_acme/ping", { text: session.id })).reply;
}

// Helpers can name their types without parameters.
export async function helper(turn: AgentTurn, setup: SessionSetup): Promise<void> {
  await turn.update({ sessionUpdate: "plan_removed", planId: setup.sessionId });
}

// These have the same types in both entries. When one of them no longer has, its users need a parameter for it.
type Same<X, Y> = [X, Y] extends [Y, X] ? true : false;
export const same: readonly true[] = [
  true satisfies Same<stableSchema.ToolCall, schema.ToolCall>,
  true satisfies Same<stableSchema.ToolCallUpdate, schema.ToolCallUpdate>,
  true satisfies Same<stableSchema.ToolCallContent, schema.ToolCallContent>,
  true satisfies Same<stableSchema.ContentBlock, schema.ContentBlock>,
  true satisfies Same<stableSchema.PlanEntry, schema.PlanEntry>,
  true satisfies Same<stableSchema.RequestPermissionRequest, schema.RequestPermissionRequest>,
  true satisfies Same<stableSchema.Received.RequestPermissionOutcome, schema.Received.RequestPermissionOutcome>,
  true satisfies Same<stableSchema.AuthMethod, schema.AuthMethod>,
  true satisfies Same<stableSchema.Implementation, schema.Implementation>,
  true satisfies Same<stableSchema.Received.SessionConfigOption, schema.Received.SessionConfigOption>,
  true satisfies Same<stableSchema.Received.SessionModeState, schema.Received.SessionModeState>,
];
