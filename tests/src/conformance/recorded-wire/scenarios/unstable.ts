// What only the unstable editions have: forks, system prompts, subagents, plans by id, MCP servers of the client, providers.
import * as v1 from "@acp/core/unstable";
import * as v2 from "@acp/core/v2/unstable";

import { between, type Scenario } from "../harness/scenario.ts";

const done = { stopReason: "end_turn" } as const;
const info = { name: "agent", version: "1.0.0" };
const systemPrompt = { mode: "append", content: [{ type: "text" as const, text: "Be brief." }] };

function counted(): () => string {
  let count = 0;
  return () => `session-${++count}`;
}

const provider = { providerId: "main", supported: ["openai"], required: true, current: null };

/** Each with a client that takes plans and subagents, and with one that takes neither. */
export const unstableV1: readonly Scenario[] = [{ plan: {}, subagents: {} }, {}].map((capabilities) =>
  between(`a client with ${JSON.stringify(capabilities)}`, async (wire) => {
    const ends = wire.connection();
    v1.createAgent({
      info,
      sessionId: counted(),
      capabilities: {
        mcpCapabilities: { acp: true },
        sessionCapabilities: { systemPrompt: { mode: { override: {} } } },
      },
      handlers: {
        "auth/status": () => ({ state: "unauthenticated" }),
        "providers/list": () => ({ providers: [provider] }),
        "providers/set": () => ({}),
        "providers/disable": () => ({}),
        "mcp/message": () => undefined,
        "session/fork": (_params, { session }) => ({ sessionId: session.id, _meta: { forked: true } }),
        "session/archive": () => ({}),
        "session/unarchive": () => ({}),
        "session/status": () => ({ status: "open" }),
        "session/set_title": ({ title }) => ({ title }),
        "session/prompt": async (_params, { turn, client }) => {
          await wire.outcome(
            "list",
            turn.planUpdate({
              type: "items",
              planId: "a",
              entries: [{ content: "one", priority: "high", status: "pending" }],
            }),
          );
          await wire.outcome(
            "Markdown",
            turn.planUpdate({ type: "markdown", planId: "b", content: "- [x] Write\n- [ ] Run" }),
          );
          await wire.outcome("file", turn.planUpdate({ type: "file", planId: "c", uri: "file:///plan.md" }));
          await wire.outcome("removed", turn.planRemoved("a"));
          const subagent = await wire.outcome(
            "subagent",
            turn.subagent({ sessionId: "sub", title: "Sub", state: { state: "running" }, cwd: "/project" }),
          );
          const content = { type: "text", text: "From below" } as const;
          await wire.outcome("its update", subagent?.update({ sessionUpdate: "agent_message_chunk", content }));
          await wire.outcome(
            "its question",
            subagent?.client.request("session/request_permission", {
              toolCall: { toolCallId: "t", title: "T" },
              options: [{ optionId: "a", name: "A", kind: "allow_once" }],
            }),
          );
          await wire.outcome("its end", subagent?.report({ state: { state: "idle" } }));
          await wire.outcome("another", turn.subagent({ title: "Another" }));
          await wire.outcome(
            "message",
            turn.update({
              sessionUpdate: "session_message",
              messageId: "m",
              senderSessionId: "session-1",
              recipientSessionId: "sub",
              content: [content],
            }),
          );
          await wire.outcome(
            "mcp",
            client.request("mcp/message", { serverId: "tools", requestId: "r1", method: "tools/list", params: {} }),
          );
          await wire.outcome("status", client.notify("auth/status_update", { state: "unauthenticated" }));
          return { ...done, usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 } };
        },
      },
    }).connect(ends.agent);
    const agent = await v1
      .createClient({
        info,
        capabilities,
        handlers: {
          "mcp/message": async ({ serverId, requestId }, { agent: asking }) => {
            await asking.notify("mcp/message", { serverId, requestId, method: "notifications/progress" });
            return { result: { tools: [] } };
          },
          "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "a" } }),
        },
      })
      .connect(ends.client);
    const session = await agent.newSession({
      cwd: "/project",
      systemPrompt,
      mcpServers: [{ type: "acp", serverId: "tools", name: "Tools" }],
    });
    await wire.step("prompt");
    await wire.outcome("prompt", session.prompt("go").response);
    await wire.step("fork");
    const fork = await wire.outcome(
      "fork",
      agent.forkSession({
        sessionId: session.id,
        cwd: "/project",
        systemPrompt: { ...systemPrompt, mode: "override" },
      }),
    );
    await wire.step("by name");
    await wire.outcome("title", session.agent.request("session/set_title", { title: "  A title " }));
    await wire.outcome("status", session.agent.request("session/status", {}));
    await wire.outcome("archive", session.agent.request("session/archive", {}));
    await wire.outcome("unarchive", agent.request("session/unarchive", { sessionId: session.id }));
    await wire.outcome("auth", agent.request("auth/status", {}));
    await wire.outcome("providers", agent.request("providers/list", {}));
    await wire.outcome(
      "set",
      agent.request("providers/set", {
        providerId: "main",
        apiType: "openai",
        baseUrl: "https://a.example",
        headers: {},
      }),
    );
    await wire.outcome("disable", agent.request("providers/disable", { providerId: "main" }));
    await wire.outcome("in the fork", fork?.prompt("go").response);
    await agent.close();
  }),
);

export const unstableV2: readonly Scenario[] = [
  between("forks, subagents and the rest", async (wire) => {
    const ends = wire.connection();
    v2.createAgent({
      info,
      sessionId: counted(),
      capabilities: { session: { mcp: { acp: {} }, systemPrompt: {} } },
      handlers: {
        "auth/status": () => ({ state: "unauthenticated" }),
        "providers/list": () => ({ providers: [provider] }),
        "providers/set": () => ({}),
        "providers/disable": () => ({}),
        "mcp/message": () => undefined,
        "session/fork": (_params, { session }) => ({ sessionId: session.id }),
        "session/archive": () => ({}),
        "session/unarchive": () => ({}),
        "session/status": () => ({ status: "saved" }),
        "session/set_title": ({ title }) => ({ title }),
        "session/prompt": async (_params, { turn, client }) => {
          await turn.update({
            sessionUpdate: "plan_update",
            plan: { type: "markdown", planId: "b", content: "- [ ] Run" },
          });
          await turn.update({ sessionUpdate: "plan_removed", planId: "b" });
          await turn.update({
            sessionUpdate: "subagent_update",
            sessionId: "sub",
            title: "Sub",
            state: { state: "running" },
            cwd: "/project",
          });
          await wire.outcome(
            "mcp",
            client.request("mcp/message", { serverId: "tools", requestId: "r1", method: "tools/list", params: {} }),
          );
          await wire.outcome("status", client.notify("auth/status_update", { state: "unauthenticated" }));
          return done;
        },
      },
    }).connect(ends.agent);
    const agent = await v2
      .createClient({
        info,
        handlers: {
          "mcp/message": async ({ serverId, requestId }, { agent: asking }) => {
            await asking.notify("mcp/message", { serverId, requestId, method: "notifications/progress" });
            return { result: { tools: [] } };
          },
        },
      })
      .connect(ends.client);
    const session = await agent.newSession({
      cwd: "/project",
      systemPrompt,
      mcpServers: [{ type: "acp", serverId: "tools", name: "Tools" }],
    });
    await wire.step("prompt");
    await wire.outcome("prompt", session.prompt("go").finished);
    await wire.step("fork");
    const fork = await wire.outcome("fork", agent.forkSession({ sessionId: session.id, cwd: "/project" }));
    await wire.outcome(
      "override",
      agent.newSession({ cwd: "/project", systemPrompt: { ...systemPrompt, mode: "override" } }),
    );
    await wire.step("by name");
    await wire.outcome("title", session.agent.request("session/set_title", { title: "  A title " }));
    await wire.outcome("status", session.agent.request("session/status", {}));
    await wire.outcome("archive", session.agent.request("session/archive", {}));
    await wire.outcome("unarchive", agent.request("session/unarchive", { sessionId: session.id }));
    await wire.outcome("auth", agent.request("auth/status", {}));
    await wire.outcome("providers", agent.request("providers/list", {}));
    await wire.outcome("in the fork", fork?.prompt("go").finished);
    await agent.close();
  }),
];
