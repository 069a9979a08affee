import { at, hang, type Peer, say, textAt } from "@acp/testing";

import { CheckFailure, expectThat, NotApplicable, NotReached } from "../../engine/check.ts";
import { hostile, must } from "../client-check.ts";
import type { ClientCheck } from "../client-context.ts";
import {
  answerByUser,
  answerOf,
  ask,
  choices,
  chunkOf,
  expectValidOutcome,
  inTurn,
  lastText,
  passed,
  playTurn,
  questionOf,
  sendUpdate,
  startTurn,
} from "../turns.ts";

/** The checks of questions for permission, usual and odd ones. */
export const questions: readonly ClientCheck[] = [
  must({
    id: "permission-is-answered",
    title: "A question for permission is answered with an offered option, or as cancelled",
    rules: ["INIT-18", "PERM-04", "PERM-05"],
    seen: "https://github.com/kurrent-io/kcap-cli/pull/879",
    mend: 'Answer with {"outcome": {"outcome": "selected", "optionId": …}} and the id of an option as it came, or with {"outcome": {"outcome": "cancelled"}}.',
    run: (context) =>
      playTurn(context, async (peer, sessionId) => expectValidOutcome(await ask(context, peer, sessionId, "call-1"))),
  }),
  hostile({
    id: "two-questions-at-once",
    title: "Two questions for permission at once are both answered, each under its own id",
    rules: ["RPC-11", "PERM-04"],
    seen: "https://github.com/formulahendry/vscode-acp/pull/2",
    mend: "Queue questions for your user; do not let the second replace the first.",
    run: (context) =>
      playTurn(context, async (peer, sessionId) => {
        const ids = ["call-1", "call-2"].map((call) =>
          peer.request("session/request_permission", questionOf(context, sessionId, call), `ask-${call}`),
        );
        for (const [index, id] of ids.entries()) {
          expectValidOutcome(await answerByUser(context, peer, id, `call-${index + 1}`));
        }
      }),
  }),
  hostile({
    id: "question-about-an-unknown-call",
    title: "A question for permission about a call that was not announced is answered",
    rules: ["PERM-02"],
    seen: "https://github.com/google-gemini/gemini-cli/issues/21783",
    mend: "Take the tool call of the question as the announcement of the call.",
    run: (context) =>
      playTurn(context, async (peer, sessionId) => {
        expectValidOutcome(await ask(context, peer, sessionId, "never-announced"));
        peer.notify("session/update", {
          sessionId,
          update: { sessionUpdate: "tool_call_update", toolCallId: "never-announced", status: "completed" },
        });
      }),
  }),
  hostile({
    id: "question-without-options",
    title: "A question for permission without any option is answered, and never with an option",
    rules: ["PERM-05"],
    mend: "Answer such a question as cancelled, or with an error.",
    async run(context) {
      let isCancelled = false;
      const act = async (peer: Peer, sessionId: string): Promise<void> => {
        const params = questionOf(context, sessionId, "call-1", []);
        const id = peer.request("session/request_permission", params, "ask-nothing");
        await passed(peer);
        // A user who sees it can only cancel.
        isCancelled = peer.answers(id).length === 0 && context.run().answers !== "by itself";
        if (isCancelled) context.run().cancel();
        const answer = await answerOf(peer, id);
        if (at(answer, "error") === undefined) expectValidOutcome(answer, []);
      };
      const run = await inTurn(context, act, { onCancel: "ignore" }).catch(async (error: unknown) => {
        const end = await Promise.race([context.run().program.exited, Promise.resolve(undefined)]);
        if (isCancelled && end !== undefined && end.signal !== null)
          throw new NotReached(`The client asks its user, and was ended by ${end.signal} when it was told to cancel`);
        throw error;
      });
      await run.shows(lastText);
    },
  }),
  hostile({
    id: "question-with-an-unknown-kind",
    title:
      "A question for permission with an option of an unknown kind is answered, and that option is not taken for a yes",
    rules: ["PERM-03", "PERM-05"],
    seen: "https://github.com/getpaseo/paseo/issues/1854",
    mend: "Show options of a kind that you do not know by their names; let no policy select them.",
    async run(context) {
      const odd = { optionId: "odd-4713", name: "Persist", kind: "allow_persistent" };
      await playTurn(context, async (peer, sessionId) => {
        const answer = await ask(context, peer, sessionId, "call-1", [...choices, odd]);
        if (at(answer, "error") !== undefined) return;
        expectValidOutcome(answer);
      });
    },
  }),
  hostile({
    id: "question-of-another-session",
    title: "A question for permission in a session that the client has not opened is answered",
    rules: ["PERM-02"],
    mend: "Answer with an error, or as cancelled: nobody looks at that session.",
    run: (context) =>
      playTurn(context, async (peer) => {
        const answer = await ask(context, peer, "foreign-session", "call-1");
        if (at(answer, "error") === undefined) expectValidOutcome(answer);
      }),
  }),
  hostile({
    id: "question-is-withdrawn",
    title: "A question that the agent takes back is answered once, and the turn goes on",
    rules: ["RCAN-04", "RCAN-07"],
    mend: "Take the question off the screen at $/cancel_request, and answer it with -32800; or ignore that, and answer as usual.",
    run: (context) =>
      playTurn(context, async (peer, sessionId) => {
        const id = peer.request("session/request_permission", questionOf(context, sessionId, "call-1"), "ask-back");
        peer.notify("$/cancel_request", { requestId: id });
        // A client that does not know the notification waits for its user.
        await passed(peer);
        if (peer.answers(id).length === 0) await answerByUser(context, peer, id, "call-1");
        await passed(peer);
        expectThat(peer.answers(id).length === 1, `The question was answered ${peer.answers(id).length} times`);
      }),
  }),
  hostile({
    id: "question-behind-the-turn",
    title: "A question for permission that comes after the turn does not keep the client from ending",
    rules: ["PERM-04"],
    protocols: [1],
    mend: "Answer questions as cancelled that nobody can answer any more, and end.",
    async run(context) {
      const run = await startTurn(context, function* ({ sessionId }) {
        yield say(lastText);
        yield { end: "end_turn" };
        yield {
          request: "session/request_permission",
          params: { ...questionOf(context, sessionId, "call-1") },
          unanswered: true,
        };
      });
      await run.shows(lastText);
      await run.ends();
    },
  }),
  must({
    id: "cancel-answers-questions",
    title: "A client that cancels answers open questions for permission as cancelled",
    rules: ["CANC-03", "PERM-07"],
    seen: "https://github.com/ThinkInAIXYZ/deepchat/issues/1881",
    mend: 'Answer each open session/request_permission with {"outcome": {"outcome": "cancelled"}} when you send session/cancel.',
    async run(context) {
      const run = await startTurn(context, [hang()]);
      const peer = context.peer();
      const sessionId = textAt(peer.calls("session/prompt")[0], "params", "sessionId") ?? "";
      // In version 2, work in the background goes on: there is none.
      if (context.settings.protocol === 2) {
        sendUpdate(peer, sessionId, { sessionUpdate: "state_update", state: "running", background: [] });
      }
      const id = peer.request("session/request_permission", questionOf(context, sessionId, "call-1"), "ask-cancel");
      await run.within(passed(peer), "An unknown request, to see where the client is");
      requireOpen(peer, id);
      run.cancel();
      await run.within(peer.next("session/cancel"), "session/cancel has not come").catch((error: unknown) => {
        throw new NotReached(String(error));
      });
      const answer = await run.within(answerOf(peer, id), "The open question was not answered after session/cancel");
      const texts = peer.received;
      const isLater = texts.findIndex(({ method }) => method === "session/cancel") < texts.indexOf(answer);
      const outcome = textAt(answer, "result", "outcome", "outcome");
      if (!isLater && outcome !== "cancelled") throw new NotApplicable("The client answers questions by itself");
      expectThat(
        outcome === "cancelled",
        `The open question was answered with ${JSON.stringify(at(answer, "result") ?? at(answer, "error"))}`,
      );
      await run.ends();
    },
  }),
  hostile({
    id: "question-is-left-open",
    title: "A turn that ends while a question of it is open ends for the client as well",
    rules: ["PERM-04"],
    mend: "Take open questions off the screen when their turn ends.",
    async run(context) {
      const run = await startTurn(context, function* ({ sessionId }) {
        yield say(lastText);
        yield {
          request: "session/request_permission",
          params: { ...questionOf(context, sessionId, "call-1") },
          unanswered: true,
        };
      });
      await run.shows(lastText);
      await run.ends();
    },
  }),
  must({
    id: "tool-call-with-permission",
    title: "A client shows what is said before, between and after questions for permission",
    rules: ["PERM-04", "UPD-08"],
    mend: "Go on reading updates while a question is open, and show them in order.",
    async run(context) {
      const said = ["before4701", "between4702", lastText];
      const run = await inTurn(context, async (peer, sessionId) => {
        sendUpdate(peer, sessionId, chunkOf(context, "before4701 "));
        const answer = ask(context, peer, sessionId, "call-1");
        sendUpdate(peer, sessionId, chunkOf(context, "between4702 "));
        await answer;
      });
      await run.shows(...said);
      const places = said.map((text) => run.program.shown().indexOf(text));
      expectThat(
        places.join() === places.toSorted((one, other) => one - other).join(),
        "The client shows it in another order",
      );
    },
  }),
];

/** The check needs a question that waits for somebody. */
function requireOpen(peer: Peer, id: unknown): void {
  const [answer] = peer.answers(id);
  if (answer === undefined) return;
  if (at(answer, "error") !== undefined)
    throw new CheckFailure(`The question was answered with an error: ${JSON.stringify(answer)}`);
  throw new NotApplicable("The client answers questions by itself");
}
