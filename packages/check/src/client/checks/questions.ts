import { at, hang, type Peer, say, textAt } from "@acp/testing";

import { CheckFailure, expectThat, NotApplicable, NotReached } from "../../engine/check.ts";
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
  questionOf,
  sendUpdate,
} from "../turns.ts";

/** The checks of questions for permission, usual and odd ones. */
export const questions: readonly ClientCheck[] = [
  {
    id: "permission-is-answered",
    side: "client",
    title: "A question for permission is answered with an offered option, or as cancelled",
    level: "must",
    rules: ["INIT-18", "PERM-04", "PERM-05"],
    seen: "https://github.com/kurrent-io/kcap-cli/pull/879",
    mend: 'Answer with {"outcome": {"outcome": "selected", "optionId": …}} and the id of an option as it came, or with {"outcome": {"outcome": "cancelled"}}.',
    async run(context) {
      const { run } = await inTurn(context, async (peer, sessionId) =>
        expectValidOutcome(await ask(context, peer, sessionId, "call-1")),
      );
      await run.shows(lastText);
    },
  },
  {
    id: "two-questions-at-once",
    side: "client",
    title: "Two questions for permission at once are both answered, each under its own id",
    level: "hostile",
    rules: ["RPC-11", "PERM-04"],
    seen: "https://github.com/formulahendry/vscode-acp/pull/2",
    mend: "Queue questions for your user; do not let the second replace the first.",
    async run(context) {
      const { run } = await inTurn(context, async (peer, sessionId) => {
        const ids = ["call-1", "call-2"].map((call) =>
          peer.request("session/request_permission", questionOf(context, sessionId, call), `ask-${call}`),
        );
        for (const [index, id] of ids.entries()) {
          expectValidOutcome(await answerByUser(context, peer, id, `call-${index + 1}`));
        }
      });
      await run.shows(lastText);
    },
  },
  {
    id: "question-about-an-unknown-call",
    side: "client",
    title: "A question for permission about a call that was not announced is answered",
    level: "hostile",
    rules: ["PERM-02"],
    seen: "https://github.com/google-gemini/gemini-cli/issues/21783",
    mend: "Take the tool call of the question as the announcement of the call.",
    async run(context) {
      const { run } = await inTurn(context, async (peer, sessionId) => {
        expectValidOutcome(await ask(context, peer, sessionId, "never-announced"));
        peer.notify("session/update", {
          sessionId,
          update: { sessionUpdate: "tool_call_update", toolCallId: "never-announced", status: "completed" },
        });
      });
      await run.shows(lastText);
    },
  },
  {
    id: "question-without-options",
    side: "client",
    title: "A question for permission without any option is answered, and never with an option",
    level: "hostile",
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
      const { run } = await inTurn(context, act, { onCancel: "ignore" }).catch(async (error: unknown) => {
        const end = await Promise.race([context.run().program.exited, Promise.resolve(undefined)]);
        if (isCancelled && end !== undefined && end.signal !== null)
          throw new NotReached(`The client asks its user, and was ended by ${end.signal} when it was told to cancel`);
        throw error;
      });
      await run.shows(lastText);
    },
  },
  {
    id: "question-with-an-unknown-kind",
    side: "client",
    title:
      "A question for permission with an option of an unknown kind is answered, and that option is not taken for a yes",
    level: "hostile",
    rules: ["PERM-03", "PERM-05"],
    seen: "https://github.com/getpaseo/paseo/issues/1854",
    mend: "Show options of a kind that you do not know by their names; let no policy select them.",
    async run(context) {
      const odd = { optionId: "odd-4713", name: "Persist", kind: "allow_persistent" };
      const { run } = await inTurn(context, async (peer, sessionId) => {
        const answer = await ask(context, peer, sessionId, "call-1", [...choices, odd]);
        if (at(answer, "error") !== undefined) return;
        expectValidOutcome(answer);
      });
      await run.shows(lastText);
    },
  },
  {
    id: "question-of-another-session",
    side: "client",
    title: "A question for permission in a session that the client has not opened is answered",
    level: "hostile",
    rules: ["PERM-02"],
    mend: "Answer with an error, or as cancelled: nobody looks at that session.",
    async run(context) {
      const { run } = await inTurn(context, async (peer) => {
        const answer = await ask(context, peer, "foreign-session", "call-1");
        if (at(answer, "error") === undefined) expectValidOutcome(answer);
      });
      await run.shows(lastText);
    },
  },
  {
    id: "question-is-withdrawn",
    side: "client",
    title: "A question that the agent takes back is answered once, and the turn goes on",
    level: "hostile",
    rules: ["RCAN-04", "RCAN-07"],
    mend: "Take the question off the screen at $/cancel_request, and answer it with -32800; or ignore that, and answer as usual.",
    async run(context) {
      const { run } = await inTurn(context, async (peer, sessionId) => {
        const id = peer.request("session/request_permission", questionOf(context, sessionId, "call-1"), "ask-back");
        peer.notify("$/cancel_request", { requestId: id });
        // A client that does not know the notification waits for its user.
        await passed(peer);
        if (peer.answers(id).length === 0) await answerByUser(context, peer, id, "call-1");
        await passed(peer);
        expectThat(peer.answers(id).length === 1, `The question was answered ${peer.answers(id).length} times`);
      });
      await run.shows(lastText);
    },
  },
  {
    id: "question-behind-the-turn",
    side: "client",
    title: "A question for permission that comes after the turn does not keep the client from ending",
    level: "hostile",
    rules: ["PERM-04"],
    protocols: [1],
    mend: "Answer questions as cancelled that nobody can answer any more, and end.",
    async run(context) {
      const run = await context.play(function* ({ sessionId }) {
        yield say(lastText);
        yield { end: "end_turn" };
        yield {
          request: "session/request_permission",
          params: { ...questionOf(context, sessionId, "call-1") },
          unanswered: true,
        };
      });
      await run.prompted();
      await run.shows(lastText);
      await run.ends();
    },
  },
  {
    id: "cancel-answers-questions",
    side: "client",
    title: "A client that cancels answers open questions for permission as cancelled",
    level: "must",
    rules: ["CANC-03", "PERM-07"],
    seen: "https://github.com/ThinkInAIXYZ/deepchat/issues/1881",
    mend: 'Answer each open session/request_permission with {"outcome": {"outcome": "cancelled"}} when you send session/cancel.',
    async run(context) {
      const run = await context.play([hang()]);
      await run.prompted();
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
  },
  {
    id: "question-is-left-open",
    side: "client",
    title: "A turn that ends while a question of it is open ends for the client as well",
    level: "hostile",
    rules: ["PERM-04"],
    mend: "Take open questions off the screen when their turn ends.",
    async run(context) {
      const run = await context.play(function* ({ sessionId }) {
        yield say(lastText);
        yield {
          request: "session/request_permission",
          params: { ...questionOf(context, sessionId, "call-1") },
          unanswered: true,
        };
      });
      await run.prompted();
      await run.shows(lastText);
      await run.ends();
    },
  },
  {
    id: "tool-call-with-permission",
    side: "client",
    title: "A client shows what is said before, between and after questions for permission",
    level: "must",
    rules: ["PERM-04", "UPD-08"],
    mend: "Go on reading updates while a question is open, and show them in order.",
    async run(context) {
      const said = ["before4701", "between4702", lastText];
      const { run } = await inTurn(context, async (peer, sessionId) => {
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
  },
];

/** The check needs a question that waits for somebody. */
function requireOpen(peer: Peer, id: unknown): void {
  const [answer] = peer.answers(id);
  if (answer === undefined) return;
  if (at(answer, "error") !== undefined)
    throw new CheckFailure(`The question was answered with an error: ${JSON.stringify(answer)}`);
  throw new NotApplicable("The client answers questions by itself");
}
