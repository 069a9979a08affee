import { deepStrictEqual as equal, ok } from "node:assert";

import { ChosenFailure, failureOf } from "../failure.ts";
import { type InteropCase, test } from "../interop-case.ts";
import { at } from "../json.ts";
import { permissionOptions } from "../../support/samples.ts";

/** Errors that a handler chooses: code, message and data arrive as they were. */
const chosen: readonly { readonly code: number; readonly message: string; readonly data?: unknown }[] = [
  { code: -32600, message: "Invalid request", data: { reason: "no" } },
  { code: -32601, message: "Method not found", data: { method: "fs/read_text_file" } },
  { code: -32602, message: "Invalid params", data: { path: "/cwd", nested: [{ deep: [1, null] }] } },
  { code: -32603, message: "Internal error", data: "a string" },
  { code: -32000, message: "Authentication required", data: { reason: "auth_required" } },
  { code: -32002, message: "Resource not found", data: { uri: "file:///a" } },
  { code: -32800, message: "Request cancelled" },
  { code: -32001, message: "Rate limited", data: { reason: "rate_limited", retryAfter: 3 } },
  { code: 12_345, message: "Grüße 🌍", data: [1, 2] },
  { code: 1, message: "", data: 0 },
];

const readFile = { call: "fs/read_text_file", params: { path: "/project/a.txt" } };

/** Errors in both directions. */
export const errorCases: readonly InteropCase[] = [
  ...chosen.map((failure) =>
    test(`ERR-01/agent: the agent answers ${failure.code}`, async ({ client, arrange, newSession, play }) => {
      await arrange("session/list", { failure });
      equal(await failureOf(client.call("session/list", {})), failure);
      equal(await failureOf(play(await newSession(), [{ fail: failure }])), failure);
    }),
  ),
  ...chosen.map((failure) =>
    test(`ERR-01/client: the client answers ${failure.code}`, async ({ client, newSession, play }) => {
      client.record.answer("fs/read_text_file", () => {
        throw new ChosenFailure(failure);
      });
      equal((await play(await newSession(), [readFile])).results, [{ failure }]);
    }),
  ),
  test("ERR-04/agent: an agent that crashes answers -32603 (the official one reveals the thrown error)", async ({
    client,
    agentSdk,
    arrange,
    newSession,
    play,
  }) => {
    await arrange("session/list", { crash: "the secret" });
    const failures = [
      await failureOf(client.call("session/list", {})),
      await failureOf(play(await newSession(), [{ crash: "the secret" }])),
    ];
    for (const failure of failures) {
      equal(failure.code, -32603);
      if (agentSdk === "toolkit") ok(!JSON.stringify(failure).includes("the secret"));
      else equal(failure.data, { details: "the secret" });
    }
  }),
  test("ERR-04/client: a client that crashes answers -32603 (the official one reveals the thrown error)", async ({
    client,
    clientSdk,
    newSession,
    play,
  }) => {
    client.record.answer("fs/read_text_file", () => {
      throw new Error("the secret");
    });
    const { results } = await play(await newSession(), [readFile]);
    equal(at(results[0], "failure", "code"), -32603);
    equal(JSON.stringify(results).includes("the secret"), clientSdk === "official");
  }),
  test("RPC-07/agent: an unknown method of the agent is answered -32601", async ({ client }) => {
    for (const method of ["_interop/none", "session/none", "fs/read_text_file", "toString"]) {
      // oxlint-disable-next-line no-await-in-loop
      const { code, data } = await failureOf(client.call(method, {}));
      equal([code, at(data, "method")], [-32601, method]);
    }
  }),
  test("RPC-07/client: an unknown method of the client is answered -32601", async ({ newSession, play }) => {
    for (const method of ["_interop/none", "terminal/none", "session/new"]) {
      // oxlint-disable-next-line no-await-in-loop
      const { results } = await play(await newSession(), [{ call: method, params: {} }]);
      equal([at(results[0], "failure", "code"), at(results[0], "failure", "data", "method")], [-32601, method]);
    }
  }),
  ...[
    { what: "a cwd that is no string", method: "session/new", params: { cwd: 5, mcpServers: [] } },
    { what: "no mcpServers", method: "session/new", params: { cwd: "/project" } },
    { what: "no params", method: "session/new", params: {} },
    { what: "a prompt that is no list", method: "session/prompt", params: { sessionId: "s", prompt: "hello" } },
    { what: "a block of unknown kind", method: "session/prompt", params: { sessionId: "s", prompt: [{ type: "_x" }] } },
    { what: "no session id", method: "session/load", params: { cwd: "/project", mcpServers: [] } },
  ].map(({ what, method, params }) =>
    test(`RPC-08/agent: ${method} with ${what} is answered -32602, or not sent`, async ({ client, clientSdk }) => {
      const { code } = await failureOf(client.call(method, params));
      ok(code === -32602 || (clientSdk === "toolkit" && typeof code === "string"), String(code));
    }),
  ),
  ...[
    { what: "no path", method: "fs/read_text_file", params: {} },
    { what: "a command that is no string", method: "terminal/create", params: { command: 1 } },
    { what: "no options", method: "session/request_permission", params: { toolCall: { toolCallId: "c" } } },
    { what: "no message", method: "elicitation/create", params: { mode: "url", elicitationId: "e", url: "https://a" } },
  ].map(({ what, method, params }) =>
    test(`RPC-08/client: ${method} with ${what} is answered -32602, or not sent`, async ({
      agentSdk,
      newSession,
      play,
    }) => {
      const { results } = await play(await newSession(), [{ call: method, params }]);
      const code = at(results[0], "failure", "code");
      ok(code === -32602 || (agentSdk === "toolkit" && typeof code === "string"), String(code));
    }),
  ),
  test(
    "CONV-02/client: a relative cwd is refused (by the toolkit's client before it is sent)",
    { only: { client: "toolkit" } },
    ({ client }) => refuses(client.call("session/new", { cwd: "work", mcpServers: [] }), "usage"),
  ),
  test(
    "CONV-02/agent: a relative cwd is answered -32602 (by the toolkit's agent; the official one takes it)",
    { only: { agent: "toolkit" } },
    ({ client }) => refuses(client.call("session/new", { cwd: "work", mcpServers: [] }), -32602),
  ),
  ...["fs/read_text_file", "fs/write_text_file"].map((method) =>
    test(`FS-07: ${method} with a relative path is refused (by the toolkit; the official SDK takes it)`, async ({
      agentSdk,
      newSession,
      play,
    }) => {
      const params = { path: "a.txt", content: "x" };
      const { results } = await play(await newSession(), [{ call: method, params }]);
      equal(at(results[0], "failure", "code"), agentSdk === "toolkit" ? "usage" : -32602);
    }),
  ),
  test(
    "SESS-26: a prompt for an unknown session is answered -32002 (by the toolkit's agent)",
    { only: { agent: "toolkit" } },
    ({ client }) => refuses(client.call("session/prompt", { sessionId: "none", prompt: [] }), -32002),
  ),
  test(
    "SESS-26: a request for an unknown session is answered -32002 (by the toolkit's client)",
    { only: { client: "toolkit" } },
    async ({ newSession, play }) => {
      const params = { sessionId: "none", path: "/project/a.txt" };
      const { results } = await play(await newSession(), [{ call: "fs/read_text_file", params }]);
      equal(at(results[0], "failure", "code"), -32002);
    },
  ),
  test(
    "PERM-05: an option that nobody offered does not approve (for the toolkit's agent; the official one passes it on)",
    { only: { agent: "toolkit" } },
    async ({ client, newSession, play }) => {
      const call = {
        call: "session/request_permission",
        params: { toolCall: { toolCallId: "c" }, options: permissionOptions },
      };
      client.record.answer("session/request_permission", () => ({ outcome: { outcome: "selected", optionId: "zzz" } }));
      const { results } = await play(await newSession(), [call]);
      equal(at(results[0], "failure", "code"), "protocol_violation");
    },
  ),
  test(
    "PROM-14/agent: a second prompt in the same session is answered -32600 (by the toolkit's agent; it is not specified)",
    { only: { agent: "toolkit" } },
    async ({ newSession, play }) => {
      const sessionId = await newSession();
      const cancelling = new AbortController();
      const first = play(sessionId, [{ awaitCancel: true }], { cancel: cancelling.signal });
      await refuses(play(sessionId, []), -32600);
      cancelling.abort();
      equal((await first).stopReason, "cancelled");
    },
  ),
  test(
    "INIT-20/agent: a second initialize is answered -32600 (by the toolkit's agent)",
    { only: { agent: "toolkit" } },
    ({ client }) => refuses(client.call("initialize", { protocolVersion: 1 }), -32600),
  ),
  test(
    "an answer without required members rejects its caller (of the toolkit; the official SDK passes it on)",
    { only: { client: "toolkit" } },
    async ({ client, arrange }) => {
      await arrange("session/list", { result: {} });
      await refuses(client.call("session/list", {}), "protocol_violation");
      await arrange("session/new", { result: {} });
      await refuses(client.call("session/new", { cwd: "/project", mcpServers: [] }), "protocol_violation");
    },
  ),
];

async function refuses(call: Promise<unknown>, code: number | string): Promise<void> {
  equal((await failureOf(call)).code, code);
}
