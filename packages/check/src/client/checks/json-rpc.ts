import { at, type Message, say } from "@acp/testing";

import { expectThat } from "../../engine/check.ts";
import { findFaults, type MessageFaults } from "../../engine/message-faults.ts";
import { must, should } from "../client-check.ts";
import type { ClientCheck, ClientContext } from "../client-context.ts";
import {
  ask,
  chunkOf,
  codeOf,
  expectValidOutcome,
  goesOnAfter,
  inTurn,
  lastText,
  passed,
  playTurn,
  sendUpdate,
  startTurn,
} from "../turns.ts";

/** The checks of messages as such. */
export const jsonRpc: readonly ClientCheck[] = [
  must({
    id: "messages-are-valid",
    title: "All that a client sends is valid: the schema, the order, the capabilities",
    rules: ["RPC-01", "RPC-02", "CHK-07", "CONV-02"],
    mend: "Send what the schema of the protocol has.",
    async run(context) {
      const { wrong } = await faultsOf(context);
      expectThat(wrong.length === 0, `The client sent what is not valid: ${wrong.join("; ")}`);
    },
  }),
  should({
    id: "no-names-of-its-own",
    title: "A client has its own data in _meta, and begins its own values with an underscore",
    rules: ["EXT-02"],
    mend: "Put members of your own into _meta, and begin values of your own with _. If the name is that of a newer draft of the protocol, all is well: take this check into your list of known failures.",
    async run(context) {
      const { unknown } = await faultsOf(context);
      expectThat(
        unknown.length === 0,
        `The client sent a name that this version of the protocol has not: ${unknown.join("; ")}`,
      );
    },
  }),
  must({
    id: "only-messages-on-stdin",
    title: "A client writes messages to its agent's stdin, and nothing else",
    rules: ["TRAN-05", "TRAN-07", "TRAN-18"],
    mend: "Write one JSON object a line, without line feeds inside, empty lines, arrays or any other text.",
    async run(context) {
      const run = await startTurn(context, [say(lastText)]);
      const peer = context.peer();
      await run.shows(lastText);
      await run.ends();
      expectThat(peer.issues.length === 0, `The client wrote what is no message: ${peer.issues.join("; ")}`);
    },
  }),
  must({
    id: "unknown-requests-are-refused",
    title: "A request that a client does not know is answered with -32601",
    rules: ["EXT-08", "RPC-07"],
    seen: "https://github.com/carlos-algms/agentic.nvim/pull/314",
    mend: "Answer each request, and those that you do not know with the error -32601.",
    run: (context) =>
      goesOnAfter(context, async (peer) => {
        for (const method of ["_check.acp/unknown", "no/such/method"]) {
          const answer = await peer.call(method, { a: 1 });
          expectThat(
            codeOf(answer) === -32_601,
            `${method} was answered with ${JSON.stringify(at(answer, "error") ?? at(answer, "result"))}`,
          );
        }
      }),
  }),
  must({
    id: "unknown-notifications-are-ignored",
    title: "A notification that a client does not know is ignored, and not answered",
    rules: ["EXT-09", "RPC-03", "RCAN-07"],
    seen: "https://github.com/agentclientprotocol/rust-sdk/issues/228",
    mend: "Ignore notifications that you do not know. Never answer what has no id.",
    run: (context) =>
      goesOnAfter(context, async (peer) => {
        const before = peer.received.length;
        for (const method of ["_check.acp/news", "no/such/news", "$/progress"]) peer.notify(method, { a: 1 });
        peer.notify("$/cancel_request", { requestId: "nobody-4711" });
        peer.send({ method: "_check.acp/bare" });
        await passed(peer);
        const answers = peer.received.slice(before).filter((message) => isAnswerToNobody(message));
        expectThat(answers.length === 0, `The client answered a notification: ${JSON.stringify(answers[0])}`);
      }),
  }),
  must({
    id: "ids-keep-their-type",
    title: "A client answers a request under its id, of the same type",
    rules: ["RPC-04"],
    seen: "https://github.com/agentclientprotocol/agent-client-protocol/issues/138",
    mend: 'Keep the id of a request as it came: "7" is another id than 7.',
    run: (context) =>
      playTurn(context, async (peer) => {
        for (const id of [
          "7000",
          7001,
          "an id: ü",
          -7002,
          9_007_199_254_740_991,
          "00000000-0000-4000-8000-000000004711",
        ]) {
          peer.request("_check.acp/ids", {}, id);
          await peer.until(
            () => peer.received.some((message) => isLike(message, id)),
            `An answer to the request with the id ${JSON.stringify(id)}`,
          );
          const wrong = peer.received.find((message) => isLike(message, id) && message.id !== id);
          expectThat(
            wrong === undefined,
            `The request with the id ${JSON.stringify(id)} was answered under ${JSON.stringify(wrong?.id)}`,
          );
        }
      }),
  }),
  must({
    id: "same-id-in-both-directions",
    title: "A client does not take a request of the agent for an answer because it has the id of a request of its own",
    rules: ["RPC-06"],
    mend: "Keep the ids of your own requests apart from those of the agent's. A message with a method is no answer.",
    run: (context) =>
      goesOnAfter(context, async (peer) => {
        const id = peer.calls("session/prompt")[0]?.id;
        peer.request("_check.acp/same-id", {}, id);
        const answer = await peer.answerTo(id, "a request with the id of session/prompt");
        expectThat(codeOf(answer) === -32_601, `The answer is ${JSON.stringify(answer)}`);
      }),
  }),
  must({
    id: "meta-is-ignored",
    title: "A client ignores _meta and members that it does not know, wherever they are",
    rules: ["EXT-01", "COMPAT-01"],
    mend: "Do not reject a message for members that you do not know; null in _meta means none.",
    run: (context) =>
      goesOnAfter(
        context,
        async (peer, sessionId) => {
          const content = { type: "text", text: "meta4701 ", _meta: { "example.com/x": [1] }, annotations: null };
          const update = {
            sessionUpdate: "agent_message_chunk",
            messageId: "message-1",
            content,
            _meta: null,
            mood: "good",
          };
          peer.notify("session/update", { sessionId, update, _meta: { "example.com/y": {} }, more: 1 });
        },
        "meta4701",
      ),
  }),
];

function isAnswerToNobody(message: Message): boolean {
  return message.method === undefined && typeof message.id !== "number";
}

function isLike({ method, id }: Message, wanted: unknown): boolean {
  return method === undefined && String(id) === String(wanted);
}

/** What the inspector finds wrong with what the client has sent. */

/** What is wrong with the messages of a turn with a question. */
async function faultsOf(context: ClientContext): Promise<MessageFaults> {
  const run = await inTurn(context, async (peer, sessionId) => {
    sendUpdate(peer, sessionId, chunkOf(context, "Hello. "));
    expectValidOutcome(await ask(context, peer, sessionId, "call-1"));
    await peer.call("_check.acp/unknown", {});
  });
  const { traffic } = context.peer();
  await run.shows(lastText);
  await run.ends();
  return findFaults(traffic, "client");
}
