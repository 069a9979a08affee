import { end, reply, say, type Step } from "@acp/testing";

import { hostile, must } from "../client-check.ts";
import type { ClientCheck, ClientContext } from "../client-context.ts";
import {
  bytesOf,
  chunkOf,
  expectAsOften,
  goesOnAfter,
  inTurn,
  lastText,
  saying,
  sendUpdate,
  startTurn,
} from "../turns.ts";

const goOn = "Go on reading updates for a moment after the answer to session/prompt, and show what comes.";
const opencode = "https://github.com/anomalyco/opencode/issues/17505";

/** Text that comes when a client does not expect it. */
export const lateText: readonly ClientCheck[] = [
  hostile({
    id: "text-behind-the-answer",
    title: "A client shows text that comes right behind the answer to its prompt",
    rules: ["PROM-12"],
    seen: opencode,
    protocols: [1],
    mend: goOn,
    run: (context) =>
      shows(context, [say("early4711 "), end(), say("late4712", { after: 60 })], "early4711", "late4712"),
  }),
  hostile({
    id: "text-long-behind-the-answer",
    title: "A client shows text that comes 300 milliseconds behind the answer to its prompt",
    rules: ["PROM-12"],
    seen: opencode,
    protocols: [1],
    mend: goOn,
    run: (context) =>
      shows(context, [say("early4711 "), end(), say("late4712", { after: 300 })], "early4711", "late4712"),
  }),
  hostile({
    id: "all-text-behind-the-answer",
    title: "A client shows the text of a turn that has said nothing before its answer",
    rules: ["PROM-12"],
    seen: "https://github.com/PrimeIntellect-ai/verifiers/pull/2262",
    protocols: [1],
    mend: goOn,
    run: (context) => shows(context, [end(), say("late4712", { after: 60 })], "late4712"),
  }),
  hostile({
    id: "answer-before-its-text",
    title: "A client shows text that comes in one piece with the answer, behind it",
    rules: ["PROM-12"],
    seen: "https://github.com/anomalyco/opencode/issues/18672",
    protocols: [1],
    mend: "Handle all messages of a piece before you take the turn for ended.",
    run: (context) => inOneWrite(context, ["answer", "text"]),
  }),
  must({
    id: "text-with-the-answer",
    title: "A client shows text that comes in one piece with the answer, before it",
    rules: ["UPD-08", "PROM-12"],
    seen: "https://github.com/agentscope-ai/QwenPaw/pull/6623",
    protocols: [1],
    mend: "Handle messages in their order: the answer to session/prompt after the updates before it.",
    run: (context) => inOneWrite(context, ["text", "answer"]),
  }),
  hostile({
    id: "updates-before-the-session",
    title: "A client goes on when updates of a session come before the answer that opens it",
    rules: ["UPD-01"],
    seen: "https://github.com/OpenHands/OpenHands-CLI/pull/543",
    mend: "Keep updates of a session that you are opening until session/new is answered, or leave them out.",
    async run(context) {
      const update = {
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name: "plan", description: "Plans" }],
      };
      const run = await context.play([say(lastText)], {
        answers: {
          "session/new": function* (): Generator<Step, void> {
            yield { update, sessionId: "early-session" };
            yield {
              update: chunkOf(context, "Welcome4700 ") as Readonly<Record<string, unknown>>,
              sessionId: "early-session",
            };
            yield reply({ sessionId: "early-session" });
          },
        },
      });
      await run.goesOn();
      await run.shows(lastText);
      await run.endsWell();
    },
  }),
  hostile({
    id: "updates-of-an-unknown-session",
    title: "A client goes on when something is said in a session that it has not opened",
    rules: ["SESS-03", "UPD-01"],
    seen: "https://github.com/aaif-goose/goose/pull/10771",
    mend: "Look at sessionId of each update.",
    run: (context) =>
      goesOnAfter(context, async (peer) => sendUpdate(peer, "another-session", chunkOf(context, "foreign4701 "))),
  }),
  must({
    id: "text-once-more-with-an-id",
    title: "Pieces of two messages with different ids are both shown, each once",
    rules: ["UPD-04"],
    seen: "https://github.com/zed-industries/zed/pull/62503",
    mend: "Chunks with one messageId are one message, another id begins another. Show each chunk once.",
    async run(context) {
      const run = await inTurn(context, async (peer, sessionId) => {
        for (const [messageId, text] of [
          ["m-1", "one4701 "],
          ["m-1", "two4702 "],
          ["m-2", "three4703 "],
        ] as const) {
          sendUpdate(peer, sessionId, { ...chunkOf(context, text), messageId });
        }
      });
      await run.shows("one4701", "two4702", "three4703", lastText);
      for (const text of ["one4701", "two4702", "three4703"]) expectAsOften(run, text, lastText);
    },
  }),
];

async function shows(context: ClientContext, steps: readonly Step[], ...texts: readonly string[]): Promise<void> {
  const run = await startTurn(context, steps);
  await run.shows(...texts);
  await run.endsWell();
}

async function inOneWrite(context: ClientContext, order: readonly ("text" | "answer")[]): Promise<void> {
  const run = await startTurn(context, function* ({ sessionId }) {
    const peer = context.peer();
    const id = peer.calls("session/prompt").at(-1)?.id;
    const messages = {
      text: saying(context, sessionId, lastText),
      answer: { jsonrpc: "2.0", id, result: { stopReason: "end_turn" } },
    };
    peer.write(bytesOf(context, ...order.map((which) => messages[which])));
    // The turn has been answered.
    yield { hang: true };
  });
  await run.shows(lastText);
  await run.endsWell();
}
