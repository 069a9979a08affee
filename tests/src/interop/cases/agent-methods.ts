import { deepStrictEqual as equal } from "node:assert";

import { type CaseContext, type InteropCase, test } from "../interop-case.ts";
import type { Json } from "../json.ts";
import { configOptions, contentBlocks, mcpServers, meta, modes } from "../../support/samples.ts";

/** A request of the client, what the agent answers, and both must arrive as they were. */
export interface AgentExchange {
  readonly name: string;
  readonly method: string;
  readonly params: Json;
  readonly result: Json;
  /** The setup answer of a session that the params name; without it the params are sent as they are. */
  readonly session?: Json;
}

const cwd = "/project/project";
const setup: Json = { modes, configOptions };

const exchanges: readonly AgentExchange[] = [
  { name: "authenticate", method: "authenticate", params: { methodId: "key" }, result: {} },
  { name: "logout", method: "logout", params: {}, result: {} },
  {
    name: "session/new with everything",
    method: "session/new",
    params: { cwd, mcpServers, additionalDirectories: ["/project/more", "/project/other"] },
    result: { sessionId: "new-whole", ...setup },
  },
  {
    name: "session/new with the least",
    method: "session/new",
    params: { cwd, mcpServers: [] },
    result: { sessionId: "new-least" },
  },
  {
    name: "session/new on Windows",
    method: "session/new",
    params: { cwd: "C:\\Users\\me\\project", mcpServers: [] },
    result: { sessionId: "new-windows" },
  },
  {
    name: "session/load",
    method: "session/load",
    params: { sessionId: "old-1", cwd, mcpServers, additionalDirectories: ["/project/more"] },
    result: setup,
  },
  {
    name: "session/resume",
    method: "session/resume",
    params: { sessionId: "old-2", cwd, mcpServers, additionalDirectories: ["/project/more"] },
    result: setup,
  },
  {
    name: "session/list with a filter and a cursor",
    method: "session/list",
    params: { cwd, cursor: "b3BhcXVl/+==" },
    result: {
      sessions: [
        {
          sessionId: "old-1",
          cwd,
          title: "First",
          updatedAt: "2026-01-02T03:04:05Z",
          additionalDirectories: ["/project/more"],
          _meta: meta,
        },
        { sessionId: "old-2", cwd: "/elsewhere" },
      ],
      nextCursor: "next",
    },
  },
  { name: "session/list with nothing", method: "session/list", params: {}, result: { sessions: [] } },
  { name: "session/close", method: "session/close", params: {}, result: {}, session: {} },
  { name: "session/delete", method: "session/delete", params: {}, result: {}, session: {} },
  {
    name: "LIST-16: session/delete of a session that nobody knows",
    method: "session/delete",
    params: { sessionId: "never-was" },
    result: {},
  },
  { name: "session/set_mode", method: "session/set_mode", params: { modeId: "code" }, result: {}, session: setup },
  {
    name: "session/set_config_option with a value",
    method: "session/set_config_option",
    params: { configId: "model", value: "large" },
    result: { configOptions },
    session: setup,
  },
  {
    name: "CONF-13: session/set_config_option with a boolean",
    method: "session/set_config_option",
    params: { configId: "web", type: "boolean", value: false },
    result: { configOptions },
    session: setup,
  },
];

/** Every request of a client, with custom data in both directions. */
export const agentMethodCases: readonly InteropCase[] = [
  ...exchanges.map(agentExchange),
  ...["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"].map((stopReason) =>
    test(`PROM-10: session/prompt answered ${stopReason}`, async ({ newSession, play }) => {
      equal((await play(await newSession(), [{ stop: stopReason }])).stopReason, stopReason);
    }),
  ),
  test("EXT-01: session/prompt with custom data", async ({ agentLog, newSession, play }) => {
    const sessionId = await newSession();
    await agentLog();
    await play(sessionId, [], { content: [contentBlocks["text"] ?? {}], _meta: meta });
    equal(await agentLog(), [
      {
        method: "session/prompt",
        params: { sessionId, prompt: [{ type: "text", text: "[]" }, contentBlocks["text"]], _meta: meta },
      },
    ]);
  }),
  test("AUTH-08: session/new refused until authenticate, with the ways to log in", async ({
    client,
    arrange,
    agentLog,
  }) => {
    const data = { reason: "auth_required", authMethods: [{ id: "key", name: "API key" }] };
    await arrange("session/new", { failure: { code: -32000, message: "Authentication required", data } });
    const params = { cwd, mcpServers: [] };
    const refused = await client.call("session/new", params).catch((error: { failure: Json }) => error.failure);
    equal(refused, { code: -32000, message: "Authentication required", data });
    await client.call("authenticate", { methodId: "key" });
    await client.call("session/new", params);
    const seen = (await agentLog()).map(({ method }) => method);
    equal(seen, ["session/new", "authenticate", "session/new"]);
  }),
];

/** The row of an exchange, with custom data both ways. */
export function agentExchange(exchange: AgentExchange): InteropCase {
  return test(`EXT-01: ${exchange.name}, with custom data both ways`, (context) => run(context, exchange));
}

async function run({ client, arrange, agentLog, newSession }: CaseContext, exchange: AgentExchange): Promise<void> {
  const { method, session } = exchange;
  const scope = session === undefined ? {} : { sessionId: await newSession(session) };
  await agentLog();
  const params = { ...scope, ...exchange.params, _meta: meta };
  const result = { ...exchange.result, _meta: meta };
  await arrange(method, { result });
  equal(await client.call(method, params), result);
  equal(await agentLog(), [{ method, params }]);
}
