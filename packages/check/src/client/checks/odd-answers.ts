import { end, fail, say, type Step } from "@acp/testing";

import { expectThat } from "../../engine/check.ts";
import { hostile } from "../client-check.ts";
import type { ClientCheck, ClientContext, ClientRun } from "../client-context.ts";
import { chunkOf, expectAsOften, goesOnAfter, inTurn, lastText, sendUpdate, startTurn } from "../turns.ts";

/** Answers that are none, errors, and ends of turns. */
export const oddAnswers: readonly ClientCheck[] = [
  hostile({
    id: "answers-to-nobody",
    title: "A client ignores answers with ids that it has not used, of another type, or null",
    rules: ["RPC-04", "RPC-09"],
    seen: "https://github.com/agentclientprotocol/rust-sdk/issues/228",
    mend: "Look up answers by their id, of the same type; ignore what belongs to no request of yours.",
    run: (context) =>
      goesOnAfter(context, async (peer) => {
        const id = peer.calls("session/prompt")[0]?.id;
        peer.send({ id: null, error: { code: -32_700, message: "Parse error" } });
        peer.send({ id: 987_654, result: { stopReason: "end_turn" } });
        peer.send({ id: typeof id === "number" ? String(id) : 1, result: { stopReason: "end_turn" } });
        peer.send({ id: { a: 1 }, result: {} });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }),
  }),
  hostile({
    id: "prompt-is-answered-twice",
    title: "A client takes the first of two answers to its prompt, and shows the text once",
    rules: ["RPC-04"],
    protocols: [1],
    mend: "Forget a request once it is answered.",
    async run(context) {
      const run = await inTurn(context, async (peer, sessionId) => {
        const id = peer.calls("session/prompt")[0]?.id;
        for (const text of ["one4701 ", "two4702 "]) sendUpdate(peer, sessionId, chunkOf(context, text));
        peer.send({ id, result: { stopReason: "end_turn" } });
        peer.send({ id, result: { stopReason: "end_turn" } });
        peer.send({ id, error: { code: -32_603, message: "Too late" } });
      });
      await run.shows("one4701", "two4702");
      expectAsOften(run, "two4702", "one4701");
      await run.endsWell();
    },
  }),
  failing(
    "error-is-told",
    "the message of an error that ends a turn",
    fail("The model 4711 is overloaded", -32_603),
    "The model 4711 is overloaded",
    {
      seen: "https://github.com/RAIT-09/obsidian-agent-client/pull/298",
      mend: "Show error.message of the answer to session/prompt, and end with a code other than 0.",
    },
  ),
  failing(
    "error-details-are-told",
    "the details of an error whose message says nothing",
    fail("Internal error", -32_603, { details: "quota 4712 exceeded" }),
    "quota 4712 exceeded",
    {
      seen: "https://github.com/openabdev/openab/pull/895",
      mend: "Show error.data along with error.message: many agents put the reason there.",
    },
  ),
  failing(
    "error-with-a-text-as-data",
    "the details of an error whose data is a text",
    fail("Internal error", -32_603, "session 4713 expired"),
    "session 4713 expired",
    {
      seen: "https://github.com/multica-ai/multica/pull/2327",
      mend: "error.data may be any JSON: show it as it is if you do not know its form.",
    },
  ),
  hostile({
    id: "odd-errors",
    title: "A client copes with errors of odd shape: a code that nobody knows, no message, data of any type",
    rules: ["ERR-07", "RPC-02"],
    mend: "Treat any answer with an error as an error, whatever is in it.",
    async run(context) {
      for (const error of [
        { code: -1, message: "" },
        { code: "E42", message: { text: "odd" }, data: [null, 1] },
      ]) {
        const run = await startTurn(context, [], {
          answers: {
            "session/prompt": function* (): Generator<Step, void> {
              const peer = context.peer();
              peer.send({ id: peer.calls("session/prompt").at(-1)?.id, error });
              yield { hang: true };
            },
          },
        });
        await run.endsWithReason();
      }
    },
  }),
  hostile({
    id: "answer-without-a-result",
    title: "A client ends a turn whose answer has no stop reason",
    rules: ["PROM-10"],
    protocols: [1],
    mend: "The turn has ended with the answer to session/prompt, whatever is in it.",
    async run(context) {
      for (const result of [{}, null]) {
        const run = await startTurn(context, function* () {
          yield say("text4701 ");
          const peer = context.peer();
          peer.send({ id: peer.calls("session/prompt").at(-1)?.id, result });
          yield { hang: true };
        });
        await run.shows("text4701");
        await run.ends();
      }
    },
  }),
  hostile({
    id: "unknown-stop-reason",
    title: "A client ends a turn whose stop reason it does not know, and has shown its text",
    rules: ["PROM-10"],
    seen: "https://github.com/esengine/DeepSeek-Reasonix/issues/8241",
    mend: "Show a stop reason that you do not know by its name.",
    async run(context) {
      const run = await startTurn(context, [say(lastText), end("moon_phase")]);
      await run.shows(lastText);
      await run.ends();
    },
  }),
  ...(["refusal", "max_tokens", "max_turn_requests"] as const).map((reason) => toldReason(reason)),
  hostile({
    id: "login-is-needed",
    title: "A client tells its user that the agent wants a login first",
    rules: ["AUTH-08", "AUTH-10"],
    seen: "https://github.com/getpaseo/paseo/pull/4775",
    protocols: [1],
    mend: "Show the message of the error -32000 and the ways to log in that initialize named; end with a code other than 0.",
    async run(context) {
      const run = await context.play([], {
        initialize: { authMethods: [{ id: "sign-in", name: "Sign in 4711" }] },
        answers: { "session/new": [fail("Authentication 4712 is required", -32_000)] },
      });
      const { peer } = await run.process();
      await run.within(peer.next("session/new"), "session/new has not come");
      await run.endsWithReason();
    },
  }),
  hostile({
    id: "session-cannot-be-opened",
    title: "A client tells its user why a session cannot be opened",
    rules: ["ERR-07"],
    seen: "https://github.com/openclaw/acpx/issues/344",
    mend: "Show the message of the error that answers session/new, and end with a code other than 0.",
    async run(context) {
      const run = await context.play([], {
        answers: { "session/new": [fail("The project 4711 is not mapped", -32_603, { details: "see the docs" })] },
      });
      const { peer } = await run.process();
      await run.within(peer.next("session/new"), "session/new has not come");
      await run.endsWithReason();
      expectTold(run, "The project 4711 is not mapped");
    },
  }),
  hostile({
    id: "initialize-fails",
    title: "A client tells its user why initialize failed",
    rules: ["ERR-07"],
    mend: "Show the message of the error that answers initialize, and end with a code other than 0.",
    async run(context) {
      const run = await context.play([], { answers: { initialize: [fail("The licence 4711 has expired", -32_603)] } });
      const { peer } = await run.process();
      await run.within(peer.next("initialize"), "initialize has not come");
      await run.endsWithReason();
      expectTold(run, "The licence 4711 has expired");
    },
  }),
];

function expectTold({ program }: ClientRun, text: string): void {
  const isTold = `${program.shown()}\n${program.stderr()}`.includes(text);
  expectThat(isTold, `Neither stdout nor stderr of the client has ${JSON.stringify(text)}`);
}

function failing(
  id: string,
  what: string,
  step: ReturnType<typeof fail>,
  told: string,
  more: Pick<ClientCheck, "seen" | "mend">,
): ClientCheck {
  return hostile({
    id,
    title: `A client shows ${what}, and what was said before`,
    rules: ["ERR-07", "TOOL-08"],
    ...more,
    async run(context) {
      // Version 2 answers the prompt at its beginning: an error in place of that answer is one as well.
      const isFirst = context.settings.protocol === 2;
      const answers: Readonly<Record<string, readonly Step[]>> = isFirst ? { "session/prompt": [step] } : {};
      const run = await startTurn(context, [say("before4701 "), step], { answers });
      if (!isFirst) await run.shows("before4701");
      await run.endsWithReason("before4701 ");
      expectTold(run, told);
    },
  });
}

/** A turn that ended for a reason is not shown as one that ended well. */
function toldReason(reason: string): ClientCheck {
  const name = reason.replaceAll("_", "-");
  return hostile({
    id: `${name}-is-told`,
    title: `A client tells its user that a turn has ended with ${reason}`,
    rules: ["PROM-10"],
    seen: "https://github.com/omercnet/vscode-acp/issues/51",
    mend: "Say why the turn has ended if it is not end_turn, or end with a code of its own.",
    async run(context) {
      const usual = await outcomeOf(context, "end_turn");
      const other = await outcomeOf(context, reason);
      expectThat(other !== usual, `A turn that ends with ${reason} looks exactly as one that ends with end_turn`);
    },
  });
}

async function outcomeOf(context: ClientContext, reason: string): Promise<string> {
  const run = await startTurn(context, [say(lastText), end(reason)]);
  await run.shows(lastText);
  const { exitCode } = await run.ends();
  return JSON.stringify([exitCode, run.program.shown(), run.program.stderr()]);
}
