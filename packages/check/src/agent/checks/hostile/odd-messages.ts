import { at, textAt } from "@acp/testing";

import { expectThat } from "../../../engine/check.ts";
import { quote } from "../../../engine/quote.ts";
import {
  answerOf,
  expectComes,
  expectGoesOn,
  expectRefused,
  goesOnAfter,
  hostile,
  newSessionParams,
  resultOf,
} from "../../agent-check.ts";
import type { AgentCheck } from "../../agent-context.ts";

/** How deep the JSON of a hostile message is. */
const deep = 5000;

/** Messages that are JSON, and odd. */
export const oddMessages: readonly AgentCheck[] = [
  hostile({
    id: "batch",
    title: "An agent goes on after a batch, which the protocol does not have",
    rules: ["TRAN-18"],
    mend: "Answer an array with error -32600. Never let it end the connection.",
    run: (context) =>
      goesOnAfter(context, "a batch", ({ peer }) => {
        peer.sendText('[{"jsonrpc":"2.0","id":"in-batch","method":"check/unknown"},{"jsonrpc":"2.0","method":"x"}]');
        peer.sendText("[]");
      }),
  }),
  hostile({
    id: "duplicate-ids",
    title: "An agent goes on if a client uses the same id twice",
    mend: "Answer both requests, or refuse the second. Do not let the second overwrite the first.",
    run: (context) =>
      goesOnAfter(context, "two requests with the same id", async ({ peer }) => {
        peer.request("session/new", newSessionParams(context), "twice");
        peer.request("check/unknown", {}, "twice");
        await expectComes(
          peer.until(() => peer.answers("twice").length >= 2, "two answers"),
          "It did not answer both of two requests with the same id",
        );
      }),
  }),
  hostile({
    id: "null-id",
    title: "An agent goes on after a request whose id is null",
    rules: ["RPC-05"],
    mend: "Answer it under the id null, or take it for a notification. Never let it end the connection.",
    run: (context) =>
      goesOnAfter(context, "a request whose id is null", ({ peer }) => {
        peer.send({ id: null, method: "check/unknown", params: {} });
      }),
  }),
  hostile({
    id: "odd-ids",
    title: "An agent goes on after requests with ids that are fractions, huge, or no ids at all",
    rules: ["RPC-04", "RPC-05"],
    mend: "Answer such a request under its id, or refuse it with -32600, and go on.",
    run: (context) =>
      goesOnAfter(context, "requests with odd ids", ({ peer }) => {
        for (const id of ["1.5", "-0.25", "1e300", "123456789012345678901234567890", "true", "{}", "[1]"])
          peer.sendText(`{"jsonrpc":"2.0","id":${id},"method":"check/unknown","params":{}}`);
      }),
  }),
  hostile({
    id: "unknown-notifications",
    title: "An agent ignores any number of notifications that it does not know",
    rules: ["EXT-09", "RCAN-07", "RPC-03"],
    mend: "Ignore notifications that you do not know. Do not answer them, and do not log each.",
    async run(context) {
      const { client } = await context.open();
      for (let count = 0; count < 500; count++) client.peer.notify(`_check.example/${count}`, { count });
      client.peer.notify("$/progress", {});
      client.peer.notify("session/update", { sessionId: "no-such-session", update: { sessionUpdate: "plan" } });
      await expectGoesOn(context, client, "500 notifications that it does not know");
      const answer = client.peer.received.find(({ method, id }) => method === undefined && (id ?? null) === null);
      expectThat(answer === undefined, `It answered a notification: ${quote(answer)}`);
    },
  }),
  hostile({
    id: "unknown-members",
    title: "An agent opens a session if the request has members that it does not know",
    rules: ["EXT-02", "COMPAT-01"],
    mend: "Ignore members that you do not know: newer clients send more than you have heard of.",
    async run(context) {
      const { client } = await context.initialize();
      const params = newSessionParams(context, { mood: "good", nested: { list: [1, 2, { three: null }] }, "": 0 });
      resultOf(await answerOf(client, "session/new", params), "session/new with unknown members");
    },
  }),
  hostile({
    id: "params-of-another-kind",
    title: "An agent answers requests whose params are null, absent, a list or a text with an error",
    rules: ["RPC-08"],
    mend: "Look whether params is an object before you read its members, and answer -32602 if it is not.",
    run: (context) =>
      goesOnAfter(context, "params of another kind", async ({ peer }) => {
        for (const params of ["null", "[]", '["a"]', '"text"', "7", undefined]) {
          const id = `params ${params}`;
          const rest = params === undefined ? "" : `,"params":${params}`;
          peer.sendText(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"session/prompt"${rest}}`);
          const what = `session/prompt with the params ${params ?? "left out"}`;
          expectRefused(await expectComes(peer.answerTo(id), `It did not answer ${what}`), what);
        }
      }),
  }),
  hostile({
    id: "method-names-of-the-language",
    title: "An agent takes no method for its own that only its programming language has",
    rules: ["RPC-07"],
    mend: "Look methods up in a map of your own, not among the members of an object: constructor and __proto__ are no methods.",
    run: (context) =>
      goesOnAfter(context, "methods that only a language has", async (client) => {
        for (const method of ["constructor", "__proto__", "toString", "hasOwnProperty", "__init__", "then"]) {
          expectRefused(await answerOf(client, method, {}), `the method ${quote(method)}`);
        }
      }),
  }),
  hostile({
    id: "members-of-the-language",
    title: "An agent opens sessions as before after __proto__ and constructor among custom data",
    mend: "Never copy members of messages into your own objects with a recursive merge.",
    async run(context) {
      const { client } = await context.initialize();
      const { cwd } = context.settings;
      const meta = '{"__proto__":{"cwd":"/polluted","sessionId":"polluted"},"constructor":{"prototype":{"cwd":5}}}';
      const params = `{"cwd":${JSON.stringify(cwd)},"mcpServers":[],"_meta":${meta},"__proto__":{"polluted":true}}`;
      client.peer.sendText(`{"jsonrpc":"2.0","id":"proto","method":"session/new","params":${params}}`);
      const answer = await expectComes(client.peer.answerTo("proto"), "It did not answer a session/new with __proto__");
      expectThat(textAt(answer, "result", "sessionId") !== "polluted", "It took the session's id from __proto__");
      const again = await answerOf(client, "session/new", newSessionParams(context));
      resultOf(again, "the next session/new");
      expectRefused(await answerOf(client, "session/new", {}), "a session/new without a cwd, after one with __proto__");
    },
  }),
  hostile({
    id: "deep-json",
    title: `An agent goes on after JSON that is ${deep} levels deep`,
    mend: "Limit how deep you read, or answer with an error. A stack that overflows must not end the agent.",
    run: (context) =>
      goesOnAfter(context, `JSON of ${deep} levels`, ({ peer }) => {
        for (const [open, close] of [
          ["[", "]"],
          ['{"a":', "}"],
        ]) {
          const value = `${open?.repeat(deep)}${open === "[" ? "" : "1"}${close?.repeat(deep)}`;
          peer.sendText(
            `{"jsonrpc":"2.0","id":"deep ${open === "["}","method":"check/unknown","params":{"_meta":{"a":${value}}}}`,
          );
        }
      }),
  }),
  hostile({
    id: "answers-to-nothing",
    title: "An agent ignores answers to requests that it has never sent",
    rules: ["RPC-09"],
    mend: "Look the id up among your open requests, and leave out what has none.",
    async run(context) {
      const { client } = await context.open();
      for (const id of [0, 1, 2, 99, "1", "no-such-request", null]) {
        client.peer.send({ id, result: { outcome: { outcome: "selected", optionId: "allow" } } });
        client.peer.send({ id, error: { code: -32_603, message: "Nobody asked" } });
      }
      await expectGoesOn(context, client, "answers to requests that it never sent");
    },
  }),
  hostile({
    id: "other-json-rpc",
    title: "An agent goes on after messages that do not say JSON-RPC 2.0",
    rules: ["RPC-01"],
    mend: "Answer them as any other, or with -32600.",
    run: (context) =>
      goesOnAfter(context, "messages of another JSON-RPC", ({ peer }) => {
        for (const version of [undefined, "1.0", 2, null])
          peer.send({ jsonrpc: version, id: "v", method: "check/unknown" });
        peer.send({ id: "bare" });
        peer.send({});
        peer.send({ id: "both", result: {}, error: { code: 1, message: "and an error" } });
        peer.send({ id: "number", method: 5 });
        peer.send({ id: "empty", method: "" });
      }),
  }),
  hostile({
    id: "session-before-initialize",
    title: "An agent answers a session/new that comes before initialize, and can be initialized afterwards",
    rules: ["INIT-01"],
    mend: "Answer it with an error, -32600 for instance, and wait for initialize.",
    async run(context) {
      const client = await context.start();
      await answerOf(client, "session/new", newSessionParams(context));
      const result = await expectComes(client.initialize(), "After a session/new it answers no initialize");
      expectThat(at(result, "protocolVersion") !== undefined, `initialize resulted in ${quote(result)}`);
    },
  }),
  hostile({
    id: "initialize-twice",
    title: "An agent answers a second initialize, and keeps its sessions",
    rules: ["INIT-20"],
    mend: "Refuse it with -32600, or answer it again. Do not forget the sessions that are open.",
    async run(context) {
      const { client, sessionId } = await context.open();
      await answerOf(client, "initialize", { protocolVersion: context.settings.protocol, info, capabilities: {} });
      await expectGoesOn(context, client, "a second initialize");
      const prompt = { sessionId, prompt: [{ type: "text", text: context.settings.prompts.short }] };
      const { error } = await answerOf(client, "session/prompt", prompt);
      expectThat(at(error, "code") !== -32_002, `It does not know its session any more: ${quote(error)}`);
    },
  }),
  hostile({
    id: "cancel-request-of-nothing",
    title: "An agent ignores $/cancel_request for requests that are not open",
    rules: ["RCAN-07"],
    mend: "Ignore it if you do not know the id, and never answer it.",
    async run(context) {
      const { client } = await context.open();
      for (const requestId of [0, -1, 99, "no-such-request", null, 1.5, {}])
        client.peer.notify("$/cancel_request", { requestId });
      client.peer.notify("$/cancel_request");
      await expectGoesOn(context, client, "$/cancel_request for requests that are not open");
    },
  }),
];

const info = { name: "check", version: "1.0.0" };
