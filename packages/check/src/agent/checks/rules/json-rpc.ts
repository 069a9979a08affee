import { at, type Message, textAt } from "@acp/testing";

import { expectThat } from "../../../engine/check.ts";
import { quote } from "../../../engine/quote.ts";
import {
  answerOf,
  expectComes,
  expectGoesOn,
  expectRefused,
  must,
  newSessionParams,
  resultOf,
  should,
} from "../../agent-check.ts";
import type { AgentCheck, StartedAgent } from "../../agent-context.ts";
import { asking, busy, chosen, expectEnds, isOver } from "../../agent-turns.ts";

/** Ids that an answer has to repeat as they are. */
const ids = [0, "0", 7, "seven", -1, 2_147_483_648, 9_007_199_254_740_991, "ä€😀", "", "12345678901234567890", " a b "];

/** The next answer that is an error and has no id: to what is no request. */
function errorWithoutId({ peer }: StartedAgent, what: string): Promise<Message> {
  const wanted = (message: Message): boolean =>
    message.method === undefined && "error" in message && (message.id === null || message.id === undefined);
  return expectComes(peer.next(wanted, "an error without an id"), `It did not answer ${what} with an error`);
}

/** The members of messages, ids, and the codes of errors. */
export const jsonRpc: readonly AgentCheck[] = [
  must({
    id: "answers-have-a-result-or-an-error",
    title: "Each answer says that it is JSON-RPC 2.0, and has either a result or an error with a code and a message",
    rules: ["RPC-01", "RPC-02"],
    mend: 'Send {"jsonrpc":"2.0","id":…} with result, or with error that has an integer code and a string message; never both.',
    async run(context) {
      const { client } = await context.initialize();
      const calls = [
        ["session/new", newSessionParams(context)],
        ["session/new", { cwd: 5 }],
        ["check/unknown", {}],
        ["session/prompt", { sessionId: "no-such-session", prompt: [{ type: "text", text: "Hi" }] }],
      ] as const;
      for (const [method, params] of calls) {
        const answer = await answerOf(client, method, params);
        expectThat(answer.jsonrpc === "2.0", `The answer to ${method} does not say "jsonrpc": "2.0": ${quote(answer)}`);
        const { error } = answer;
        const isError = Number.isInteger(at(error, "code")) && typeof at(error, "message") === "string";
        const isOne = error === undefined ? "result" in answer : isError && !("result" in answer);
        expectThat(isOne, `The answer to ${method} is ${quote(answer)}`);
      }
    },
  }),
  must({
    id: "unknown-method",
    title: "An agent answers a method that it does not have with -32601",
    rules: ["RPC-07"],
    mend: "Answer each request. Use error -32601 for methods that you do not have.",
    async run(context) {
      const { client } = await context.initialize();
      expectRefused(await answerOf(client, "check/unknown", {}), "an unknown method", -32_601);
    },
  }),
  must({
    id: "unknown-extension-method",
    title: "An agent answers an extension's method that it does not have with -32601",
    rules: ["EXT-08", "RPC-07"],
    mend: "Methods that begin with _ are extensions. Answer those you do not have with error -32601.",
    async run(context) {
      const { client } = await context.initialize();
      const answer = await answerOf(client, "_check.example/unknown", { any: "thing" });
      expectRefused(answer, "an unknown extension method", -32_601);
    },
  }),
  must({
    id: "refuses-invalid-params",
    title: "An agent answers params that do not fit the method with an error",
    rules: ["RPC-08"],
    mend: "Check params before you use them, and answer with error -32602 if they do not fit.",
    async run(context) {
      const { client } = await context.initialize();
      const wrong = [
        ["session/new", { cwd: 5, mcpServers: [] }],
        ["session/new", { mcpServers: [] }],
        ["session/prompt", { sessionId: 5, prompt: "Hi" }],
        ["session/prompt", {}],
      ] as const;
      for (const [method, params] of wrong)
        expectRefused(await answerOf(client, method, params), `${method} with ${quote(params)}`);
    },
  }),
  should({
    id: "invalid-params-have-their-code",
    title: "The error for params that do not fit has the code -32602",
    rules: ["RPC-08"],
    mend: "Use -32602 for params that do not fit, so that clients can tell their own mistakes from yours.",
    async run(context) {
      const { client } = await context.initialize();
      const params = { cwd: 5, mcpServers: [] };
      expectRefused(await answerOf(client, "session/new", params), `session/new with ${quote(params)}`, -32_602);
    },
  }),
  should({
    id: "errors-hide-the-inside",
    title: "Errors have a short message and no stack trace",
    rules: ["ERR-04", "ERR-05"],
    mend: "Write what is wrong in a sentence. Log stack traces to stderr, and leave them out of error.message and error.data.",
    async run(context) {
      const { client } = await context.initialize();
      const prompt = { sessionId: "no-such-session", prompt: [{ type: "text", text: "Hi" }] };
      for (const [method, params] of [
        ["session/new", { cwd: 5 }],
        ["session/prompt", prompt],
      ] as const) {
        const { error } = await answerOf(client, method, params);
        const trace = /\\n\s+at \S+ \(|Traceback \(most recent call last\)|goroutine \d+ \[|stack backtrace:/u;
        expectThat(
          !trace.test(JSON.stringify(error) ?? ""),
          `The error of ${method} has a stack trace: ${quote(error)}`,
        );
      }
    },
  }),
  should({
    id: "broken-json-is-answered",
    title: "An agent answers a line that is no JSON with -32700",
    rules: ["RPC-09"],
    mend: "Answer what you cannot parse with error -32700 and the id null, and go on with the next line.",
    async run(context) {
      const { client } = await context.initialize();
      client.peer.sendText('{"jsonrpc":"2.0","id":"broken","method":');
      const { error } = await errorWithoutId(client, "broken JSON");
      expectThat(at(error, "code") === -32_700, `It answered broken JSON with ${quote(error)}`);
    },
  }),
  should({
    id: "no-request-is-answered",
    title: "An agent answers JSON that is no message with -32600",
    rules: ["RPC-09"],
    mend: "Answer JSON that is no request, notification or response with error -32600 and the id null, and go on.",
    async run(context) {
      const { client } = await context.initialize();
      client.peer.sendText('"hello"');
      const { error } = await errorWithoutId(client, "a string in place of a message");
      expectThat(at(error, "code") === -32_600, `It answered a string with ${quote(error)}`);
    },
  }),
  should({
    id: "batch-is-refused",
    title: "An agent refuses a batch with -32600",
    rules: ["TRAN-18"],
    mend: "The protocol has no batches. Answer an array with one error -32600 with the id null, and go on.",
    async run(context) {
      const { client } = await context.initialize();
      client.peer.sendText('[{"jsonrpc":"2.0","id":"first","method":"check/unknown"}]');
      const { error } = await errorWithoutId(client, "a batch");
      expectThat(at(error, "code") === -32_600, `It answered a batch with ${quote(error)}`);
    },
  }),
  must({
    id: "ids-come-back-unchanged",
    title: "An answer repeats the id of its request: strings stay strings, numbers stay numbers",
    rules: ["RPC-04"],
    mend: "Keep the id as it came, a string or a number, and put just that into the answer.",
    async run(context) {
      const { client } = await context.initialize();
      for (const id of ids) client.peer.request("check/unknown", {}, id);
      for (const id of ids) {
        await expectComes(
          client.peer.answerTo(id),
          `It did not answer the request with the id ${quote(id)} under that id`,
        );
      }
    },
  }),
  must({
    id: "notifications-are-not-answered",
    title: "An agent never answers a notification, whatever is wrong with it",
    rules: ["RPC-03", "EXT-09"],
    seen: "https://github.com/anomalyco/opencode/issues/30146",
    mend: "A message without an id gets no answer, not even an error. Log what you cannot use.",
    async run(context) {
      const { client } = await context.initialize();
      client.peer.notify("_check.example/unknown", { any: "thing" });
      client.peer.notify("check/unknown", {});
      client.peer.notify("$/check", {});
      client.peer.notify("session/cancel", { sessionId: 5 });
      client.peer.notify("session/cancel", { sessionId: "no-such-session" });
      await expectGoesOn(context, client, "notifications that it does not know");
      const answer = client.peer.received.find(
        ({ method, id }) => method === undefined && (id === null || id === undefined),
      );
      expectThat(answer === undefined, `It answered a notification: ${quote(answer)}`);
    },
  }),
  must({
    id: "answers-while-a-turn-runs",
    title: "An agent answers other requests while a prompt is under way",
    rules: ["RPC-11"],
    mend: "Handle requests side by side: do not wait for the end of a prompt before you read the next message.",
    async run(context) {
      const { client, turn } = await busy(context);
      await answerOf(client, "check/unknown", {});
      expectThat(!isOver(turn), "It answered only after the turn");
      await turn.cancel();
    },
  }),
  must({
    id: "same-id-in-both-directions",
    title: "An agent tells a client's request from the answer to its own request, if both have the same id",
    rules: ["RPC-06"],
    mend: "Each side numbers its own requests. Look for method first: what has one is a request, whatever its id.",
    async run(context) {
      const { client, turn, question } = await asking(context);
      const sent = client.peer.received.length;
      client.peer.request("check/unknown", {}, question.id);
      await expectComes(
        client.peer.until(
          () => client.peer.received.slice(sent).some(({ id, method }) => id === question.id && method === undefined),
          "the answer",
        ),
        "It did not answer a request that has the id of its own open request",
      );
      client.peer.reply(question, chosen(question.params, "allow"));
      await expectEnds(turn, "the permission, whose id a request of the client had as well");
    },
  }),
  should({
    id: "own-ids-are-plain",
    title: "The ids of an agent's own requests are strings or whole numbers",
    rules: ["RPC-05"],
    mend: "Number your requests 1, 2, 3, or use strings. Never null, never fractions.",
    async run(context) {
      const { client, turn, question } = await asking(context);
      client.peer.reply(question, chosen(question.params, "reject"));
      await expectEnds(turn, "a rejection");
      for (const { id, method } of client.peer.calls())
        expectThat(
          id === undefined || typeof id === "string" || Number.isInteger(id),
          `Its request ${method} has the id ${quote(id)}`,
        );
    },
  }),
  must({
    id: "meta-is-accepted",
    title: "An agent takes custom data in _meta wherever it comes",
    rules: ["EXT-01", "EXT-04", "CHK-10"],
    mend: "Allow _meta, an object or null, in each type, and ignore the keys that you do not know.",
    async run(context) {
      const _meta = {
        traceparent: "00-80e1afed08e019fc1110464cfa66635c-7a085853722dc6d2-01",
        "check.example": { deep: [1, null, { a: true }] },
      };
      const { client } = await context.initialize();
      for (const meta of [_meta, null, {}]) {
        const params = newSessionParams(context, { _meta: meta });
        const result = resultOf(await answerOf(client, "session/new", params), `session/new with _meta ${quote(meta)}`);
        expectThat(textAt(result, "sessionId") !== undefined, `session/new resulted in ${quote(result)}`);
      }
    },
  }),
];
