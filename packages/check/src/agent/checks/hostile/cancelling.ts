import { textAt, type TurnRecord } from "@acp/testing";

import { expectThat, NotReached } from "../../../engine/check.ts";
import { quote } from "../../../engine/quote.ts";
import {
  answerOf,
  expectComes,
  expectGoesOn,
  hostile,
  newSessionParams,
  openedWith,
  requireMethod,
} from "../../agent-check.ts";
import type { AgentCheck, AgentContext, OpenedAgent } from "../../agent-context.ts";
import {
  busy,
  eitherOf,
  expectCancelled,
  expectEnds,
  isOver,
  played,
  playShort,
  promptFor,
  promptId,
} from "../../agent-turns.ts";

/** Expects the next turn of a session to say something, or to end as one that nobody has cancelled. */
async function expectNextTurn(context: AgentContext, { client, sessionId }: OpenedAgent, after: string): Promise<void> {
  const turn = client.prompt(promptFor(context, "short"), sessionId);
  // A model may go on with what was cancelled, and say much: its end is not waited for.
  await expectUncancelled(Promise.race([turn, turn.until(({ items }) => items.length > 0)]), after);
}

async function expectUncancelled(turn: PromiseLike<TurnRecord>, after: string): Promise<void> {
  const { stopReason, error } = await expectComes(turn, `The prompt that followed ${after} brought nothing`);
  expectThat(error === undefined, `After ${after} it answered the next prompt with ${error?.code}: ${error?.message}`);
  expectThat(stopReason !== "cancelled", `After ${after} the next turn was cancelled as well`);
}

async function secondSession(context: AgentContext, { client }: OpenedAgent): Promise<string> {
  const sessionId = textAt(await answerOf(client, "session/new", newSessionParams(context)), "result", "sessionId");
  if (sessionId === undefined) throw new NotReached("The agent opened no second session");
  return sessionId;
}

/** Cancels that come early, late, twice, or for something else; and prompts that come meanwhile. */
export const cancelling: readonly AgentCheck[] = [
  hostile({
    id: "cancel-together-with-the-prompt",
    title: "A cancel that comes with the prompt ends the turn, and the session goes on",
    rules: ["CANC-05"],
    seen: "https://github.com/NousResearch/hermes-agent/issues/79196",
    mend: "Register the turn before you wait for anything, so that a cancel finds it.",
    async run(context) {
      const text = promptFor(context, "long");
      const opened = await context.open();
      const turn = opened.client.prompt(text, opened.sessionId);
      await turn.cancel();
      await expectEnds(turn, "a cancel that came with the prompt");
      await expectNextTurn(context, opened, "a cancel that came with the prompt");
    },
  }),
  hostile({
    id: "cancel-twice",
    title: "A turn that is cancelled twice ends once, and the session goes on",
    rules: ["CANC-05", "CANC-10"],
    mend: "Ignore the second cancel. Do not keep it for the next turn.",
    async run(context) {
      const opened = await busy(context);
      const id = promptId(opened.client);
      for (let count = 0; count < 5; count++) await opened.turn.cancel();
      await expectCancelled(opened.turn, "five cancels");
      await expectNextTurn(context, opened, "five cancels");
      const answers = opened.client.peer.answers(id);
      expectThat(answers.length === 1, `It answered the prompt ${answers.length} times`);
    },
  }),
  hostile({
    id: "cancel-after-the-end",
    title: "A cancel that comes after the end of a turn does not touch the next one",
    rules: ["CANC-10"],
    mend: "Ignore session/cancel if nothing runs. Do not keep it for the next prompt.",
    async run(context) {
      const opened = await played(context);
      for (let count = 0; count < 3; count++)
        opened.client.peer.notify("session/cancel", { sessionId: opened.sessionId });
      await expectGoesOn(context, opened.client, "cancels after the end of a turn");
      await expectNextTurn(context, opened, "cancels after the end of a turn");
    },
  }),
  hostile({
    id: "cancel-of-another-session",
    title: "A cancel for one session does not end the turn of another",
    rules: ["SESS-03", "CANC-10"],
    mend: "Keep turns by session, and end only the one that session/cancel names.",
    async run(context) {
      const opened = await busy(context);
      const { client, turn } = opened;
      const other = await secondSession(context, opened);
      client.peer.notify("session/cancel", { sessionId: other });
      client.peer.notify("session/cancel", { sessionId: "no-such-session" });
      const { length } = turn.record.text;
      const more = turn.until(({ text }) => text.length > length, "more text");
      // It may be silent while it works: then nothing tells that it goes on.
      const patience = new Promise((resolve) => setTimeout(resolve, 1000));
      await Promise.race([eitherOf(more, turn), patience]);
      expectThat(turn.record.stopReason !== "cancelled", "A cancel for another session ended the turn");
      if (isOver(turn)) return;
      await turn.cancel();
      await expectCancelled(turn, "its own cancel");
    },
  }),
  hostile({
    id: "second-prompt-while-one-runs",
    title: "A prompt that comes while another runs is answered, and so is the first",
    rules: ["PROM-14"],
    seen: "https://github.com/vercel-labs/fx/issues/993",
    mend: "Queue it, take it into the running turn, or refuse it with an error. Never forget one of the two.",
    async run(context) {
      const opened = await busy(context);
      const { client, sessionId, turn } = opened;
      const first = promptId(client);
      const second = client.peer.request("session/prompt", {
        sessionId,
        prompt: [{ type: "text", text: promptFor(context, "short") }],
      });
      await answerOf(client, "check/unknown", {});
      if (!isOver(turn)) await turn.cancel();
      await expectComes(client.peer.answerTo(second), "It never answered the second of two prompts");
      await expectComes(
        client.peer.until(() => client.peer.answers(first).length > 0, "the answer to the first prompt"),
        "It never answered the first of two prompts",
      );
      await expectGoesOn(context, client, "two prompts at once");
    },
  }),
  hostile({
    id: "close-in-mid-turn",
    title: "After a session was closed in the middle of a turn, another one works",
    rules: ["SESS-15"],
    mend: "End the turn of a session that is closed, and free all that belongs to it, but nothing of other sessions.",
    async run(context) {
      const opened = await busy(context);
      requireMethod(context, opened, "close");
      await answerOf(opened.client, "session/close", { sessionId: opened.sessionId });
      await expectEnds(opened.turn, "session/close");
      const sessionId = await secondSession(context, opened);
      await expectNextTurn(context, { ...opened, sessionId }, "session/close in the middle of a turn");
    },
  }),
  hostile({
    id: "prompt-for-a-closed-session",
    title: "An agent answers a prompt for a session that was closed with an error",
    rules: ["SESS-26"],
    mend: "Forget a session that is closed. Answer prompts for it with an error, -32002 for instance.",
    async run(context) {
      const opened = await openedWith(context, "close");
      const { client, sessionId } = opened;
      await answerOf(client, "session/close", { sessionId });
      const prompt = { sessionId, prompt: [{ type: "text", text: promptFor(context, "short") }] };
      const { result } = await answerOf(client, "session/prompt", prompt);
      expectThat(result === undefined, `It answered a prompt for a closed session with ${quote(result)}`);
    },
  }),
  hostile({
    id: "many-prompts-in-a-row",
    title: "A session answers ten prompts, one after the other",
    rules: ["PROM-14"],
    mend: "Leave nothing of a turn behind that the next one trips over.",
    async run(context) {
      const opened = await context.open();
      const begin = performance.now();
      await playShort(context, opened);
      // A model that takes its time is not at fault: ten of its turns would outlast the check.
      const took = performance.now() - begin;
      if (10 * took > 2 * context.settings.timeout)
        throw new NotReached(`One prompt takes it ${Math.round(took / 100) / 10} s, too long to try ten in a row`);
      const { client, sessionId } = opened;
      for (let count = 2; count <= 10; count++)
        await expectUncancelled(client.prompt(promptFor(context, "short"), sessionId), `${count - 1} prompts`);
    },
  }),
  hostile({
    id: "prompts-in-two-sessions",
    title: "Prompts in two sessions at once all end, and a cancel ends only its own",
    rules: ["SESS-03"],
    mend: "Keep turns by session. Nothing of a turn belongs to the connection.",
    async run(context) {
      const opened = await busy(context);
      const { client, turn } = opened;
      const other = await secondSession(context, opened);
      const beside = client.prompt(promptFor(context, "short"), other);
      if (!isOver(turn)) await turn.cancel();
      const { stopReason } = await expectEnds(beside, "a prompt beside another session's");
      expectThat(stopReason !== "cancelled", "The cancel of one session ended the turn of another");
      await expectEnds(turn, "its cancel");
    },
  }),
];
