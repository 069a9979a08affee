import { deepStrictEqual as equal } from "node:assert";

import { eventually } from "../../eventually.ts";
import { type InteropCase, test } from "../../interop-case.ts";
import type { Json } from "../../json.ts";
import { configOptions, mcpServers, meta, modes } from "../../../support/samples.ts";
import {
  accounts,
  acpServer,
  providers,
  systemPrompts,
  toolsProgress,
  usages,
} from "../../../support/samples-unstable.ts";
import { agentExchange } from "../agent-methods.ts";

const cwd = "/project/project";
const setup: Json = { modes, configOptions };
const everything: Json = {
  cwd,
  mcpServers: [...mcpServers, { ...acpServer, _meta: meta }],
  additionalDirectories: ["/project/more"],
};

/** The methods that open a session, with a system prompt of each mode and a server of the client. */
const openings = systemPrompts.flatMap((systemPrompt) => {
  const mode = String(systemPrompt["mode"]);
  const params = { ...everything, systemPrompt };
  const opened = (method: string) => ({ name: `${method} with system prompt ${mode} and server acp`, method });
  return [
    { ...opened("session/new"), params, result: { sessionId: `new-${mode}`, ...setup } },
    { ...opened("session/load"), params: { ...params, sessionId: `old-${mode}` }, result: setup },
    { ...opened("session/resume"), params: { ...params, sessionId: `saved-${mode}` }, result: setup },
    { ...opened("session/fork"), params, result: { sessionId: `fork-${mode}`, ...setup }, session: {} },
  ];
});

const statuses = ["open", "saved", "_acme_asleep"];
const logins = ["authenticated", "unauthenticated", "not_required", "unknown", "_acme_expired"];

/** Every unstable request of a client and its notification, and what is unstable of the others. */
export const unstableAgentMethodCases: readonly InteropCase[] = [
  ...openings.map(agentExchange),
  agentExchange({
    name: "session/fork with the least",
    method: "session/fork",
    params: { sessionId: "not-open-here", cwd, mcpServers: [] },
    result: { sessionId: "fork-least" },
  }),
  ...["session/archive", "session/unarchive"].flatMap((method) => [
    agentExchange({ name: method, method, params: {}, result: {}, session: {} }),
    agentExchange({ name: `${method} of a saved session`, method, params: { sessionId: "saved" }, result: {} }),
  ]),
  ...statuses.map((status) =>
    agentExchange({
      name: `session/status answered ${status}`,
      method: "session/status",
      params: { sessionId: "saved" },
      result: { status },
    }),
  ),
  agentExchange({
    name: "session/set_title, with a title that the agent changed",
    method: "session/set_title",
    params: { title: " Grüße 🌍 " },
    result: { title: "Grüße" },
    session: {},
  }),
  ...["exclude", "include", "only", "_acme_old"].map((archived) =>
    agentExchange({
      name: `session/list with the archive filter ${archived}`,
      method: "session/list",
      params: { archived },
      result: {
        sessions: [true, false, null].map((isArchived, index) => ({
          sessionId: `s${index}`,
          cwd,
          archived: isArchived,
        })),
      },
    }),
  ),
  ...logins.map((state) =>
    agentExchange({
      name: `auth/status answered ${state}`,
      method: "auth/status",
      params: {},
      result: { state, accounts },
    }),
  ),
  agentExchange({
    name: "auth/status with the least",
    method: "auth/status",
    params: {},
    result: { state: "unknown" },
  }),
  agentExchange({ name: "providers/list", method: "providers/list", params: {}, result: { providers } }),
  agentExchange({
    name: "providers/set",
    method: "providers/set",
    params: {
      providerId: "main",
      apiType: "openai",
      baseUrl: "https://example.com/v1",
      headers: { "X-Key": "Grüße", "": "" },
    },
    result: {},
  }),
  agentExchange({
    name: "providers/set with the least",
    method: "providers/set",
    params: { providerId: "", apiType: "_acme", baseUrl: "https://example.com" },
    result: {},
  }),
  agentExchange({
    name: "providers/disable",
    method: "providers/disable",
    params: { providerId: "main" },
    result: {},
  }),
  test("EXT-01: mcp/message, a notification of the client's server, with custom data", async ({ client, agentLog }) => {
    const params = { serverId: "tools", requestId: "1", ...toolsProgress, _meta: meta };
    await client.notify("mcp/message", params);
    const { params: _, ...least } = params;
    await client.notify("mcp/message", least);
    const log: unknown[] = [];
    await eventually(async () => {
      log.push(...(await agentLog()));
      return log.length === 2 ? log : undefined;
    }, "both notifications are logged");
    equal(log, [
      { method: "mcp/message", params },
      { method: "mcp/message", params: least },
    ]);
  }),
  ...usages.map((usage, index) =>
    test(`session/prompt answered with usage, ${index === 0 ? "all of it" : "the least"}`, async ({
      newSession,
      play,
    }) => {
      const { response } = await play(await newSession(), [{ stop: "max_tokens", usage }]);
      equal(response, { stopReason: "max_tokens", usage, _meta: { results: [] } });
    }),
  ),
  test("UPD-08: a fork takes prompts in parallel with the session that it comes from, and its early updates are kept", async ({
    client,
    arrange,
    newSession,
    play,
  }) => {
    const sessionId = await newSession();
    const forkId = `fork-of-${sessionId}`;
    const say = (text: string): Json => ({
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text },
    });
    await arrange("session/fork", { result: { sessionId: forkId }, updates: [say("early")] });
    equal(await client.call("session/fork", { sessionId, cwd, mcpServers: [] }), { sessionId: forkId });
    equal(await eventually(() => client.record.updatesOf(forkId)[0], "the early update"), say("early"));
    const [fork, first] = await Promise.all([
      play(forkId, [{ update: say("fork 1") }, { sleep: 20 }, { update: say("fork 2") }]),
      play(sessionId, [{ update: say("first 1") }, { sleep: 20 }, { update: say("first 2") }]),
    ]);
    equal(fork.updates, [say("fork 1"), say("fork 2")]);
    equal(first.updates, [say("first 1"), say("first 2")]);
  }),
];
