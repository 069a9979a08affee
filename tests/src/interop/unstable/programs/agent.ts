// An agent with all that is unstable in version 1, on stdio. A prompt names what it is to do.
import { createAgent } from "@acp/core/unstable";
import { serveStdio } from "@acp/node";

interface Conversation {
  title: string;
  /** What the user has said, in this session and in those it comes from. */
  readonly said: string[];
  readonly system: string | undefined;
}

const conversations = new Map<string, Conversation>();
const archived = new Set<string>();
const disabled = new Set<string>();
/** What MCP servers have told. */
const notes: string[] = [];

const agent = createAgent({
  info: { name: "unstable-agent", version: "1.0.0" },
  capabilities: {
    mcpCapabilities: { acp: true },
    sessionCapabilities: { systemPrompt: { mode: { override: {} } } },
  },
  session: (setup) => {
    const { method, params, sessionId } = setup;
    const parent = method === "session/fork" ? conversations.get(params.sessionId) : undefined;
    const system = params.systemPrompt?.content[0];
    const conversation: Conversation = {
      title: parent?.title ?? "Untitled",
      said: [...(parent?.said ?? [])],
      system: system?.type === "text" ? `${params.systemPrompt?.mode}: ${system.text}` : undefined,
    };
    conversations.set(sessionId, conversation);
    return conversation;
  },
  handlers: {
    "session/fork": async (_params, { session }) => {
      await session.update({ sessionUpdate: "session_info_update", title: `${session.state.title}, forked` });
      return { sessionId: session.id };
    },
    "session/close": () => {},
    "session/status": ({ sessionId }, { session }) => ({
      status: session !== undefined ? "open" : conversations.has(sessionId) ? "saved" : "_unknown",
    }),
    "session/set_title": ({ title }, { session }) => {
      if (session !== undefined) session.state.title = title;
      return { title };
    },
    "session/archive": ({ sessionId }) => void archived.add(sessionId),
    "session/unarchive": ({ sessionId }) => void archived.delete(sessionId),
    "session/list": () => ({
      sessions: [...conversations].map(([sessionId, { title }]) => {
        return { sessionId, cwd: "/project", title, archived: archived.has(sessionId) };
      }),
    }),
    "auth/status": () => ({ state: "authenticated", accounts: [{ label: "me", active: true }] }),
    "providers/list": () => ({
      providers: [
        {
          providerId: "main",
          supported: ["anthropic", "_acme"],
          required: false,
          current: disabled.has("main") ? null : { apiType: "anthropic", baseUrl: "https://models.example" },
        },
      ],
    }),
    "providers/set": ({ providerId }) => void disabled.delete(providerId),
    "providers/disable": ({ providerId }) => void disabled.add(providerId),
    "mcp/message": ({ serverId, requestId, method }) => void notes.push(`${serverId} ${requestId} ${method}`),
    "session/prompt": async ({ prompt: [block] }, { turn, session, client }) => {
      const text = block?.type === "text" ? block.text : "";
      session.state.said.push(text);
      if (text === "plan") {
        const entries = [{ content: "Read", priority: "high", status: "completed" } as const];
        await turn.planUpdate({ type: "items", planId: "a", entries });
        await turn.planUpdate({ type: "markdown", planId: "b", content: "- [x] Write\n- [ ] Test" });
        await turn.planUpdate({ type: "file", planId: "c", uri: "file:///project/plan.md" });
        await turn.planRemoved("a");
      } else if (text === "subagent") {
        const search = await turn.subagent({ title: "Search", state: { state: "running" } });
        await search.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Searching" } });
        const { outcome } = await search.client.request("session/request_permission", {
          toolCall: { toolCallId: "1", title: "Search" },
          options: [{ optionId: "allow", name: "Allow", kind: "allow_once" }],
        });
        await search.report({ state: { state: "idle", stopReason: "end_turn" } });
        await turn.message(outcome.outcome === "selected" ? outcome.optionId : "cancelled");
      } else if (text === "mcp") {
        for (const server of session.mcpServers) {
          if (server.type !== "acp") continue;
          const call = { serverId: server.serverId, requestId: "1", method: "tools/list" };
          await turn.message(JSON.stringify([await client.request("mcp/message", call), notes]));
        }
      } else if (text === "login") {
        await client.notify("auth/status_update", { state: "unauthenticated" });
      } else {
        await turn.message(JSON.stringify([session.state.system, ...session.state.said]));
      }
      return { stopReason: "end_turn", usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 } };
    },
  },
});

await serveStdio(agent);
