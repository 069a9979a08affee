import { NotReached, reach } from "../../../engine/check.ts";
import { expectGoesOn, hostile } from "../../agent-check.ts";
import type { AgentCheck, AgentContext } from "../../agent-context.ts";
import {
  asking,
  type AskingAgent,
  type BusyAgent,
  chosen,
  eitherOf,
  expectCancelled,
  expectEnds,
  expectNotRun,
  promptFor,
} from "../../agent-turns.ts";

/** Lets the agent ask, answers as told, and expects the turn to end without the tool. */
async function expectRefusedBy(
  context: AgentContext,
  what: string,
  answer: (asked: AskingAgent) => void,
): Promise<void> {
  const asked = await asking(context);
  answer(asked);
  await expectEnds(asked.turn, what);
  expectNotRun(asked.turn, asked.toolCallId, what);
  await expectGoesOn(context, asked.client, what);
}

/** Lets the agent read a file by the client, which answers as told; resolves when it has asked. */
async function reading(context: AgentContext, answer: () => unknown): Promise<BusyAgent> {
  const text = promptFor(context, "read");
  const opened = await context.open({ files: {}, handlers: { "fs/read_text_file": answer } });
  const turn = opened.client.prompt(text, opened.sessionId);
  const { peer } = opened.client;
  const isAsked = (): boolean => peer.calls("fs/read_text_file").length > 0;
  await reach(eitherOf(peer.until(isAsked, "fs/read_text_file"), turn), "The agent did not read the file");
  if (!isAsked()) throw new NotReached("The agent did not ask the client for the file");
  return { ...opened, turn };
}

/** The same, where the turn is expected to end. */
async function expectEndsAfterReading(context: AgentContext, what: string, answer: () => unknown): Promise<void> {
  const { client, turn } = await reading(context, answer);
  await expectEnds(turn, what);
  await expectGoesOn(context, client, what);
}

/** Answers of clients that are wrong, late, or never come. */
export const questions: readonly AgentCheck[] = [
  hostile({
    id: "permission-rejected",
    title: "A tool that the user rejects is not run, and the turn ends",
    rules: ["PERM-01"],
    seen: "https://github.com/github/copilot-cli/issues/4537",
    mend: "Run the tool only if the chosen option is one that allows.",
    run: (context) =>
      expectRefusedBy(context, "a rejection", ({ client, question }) =>
        client.peer.reply(question, chosen(question.params, "reject")),
      ),
  }),
  hostile({
    id: "permission-with-an-unknown-option",
    title: "A tool is not run if the client chooses an option that was not offered",
    rules: ["PERM-02"],
    mend: "Look the optionId up among your options. Take one that you do not know for a rejection.",
    run: (context) =>
      expectRefusedBy(context, "an option that it did not offer", ({ client, question }) =>
        client.peer.reply(question, { outcome: { outcome: "selected", optionId: "no-such-option" } }),
      ),
  }),
  hostile({
    id: "permission-with-an-error",
    title: "A tool is not run if the client answers the question with an error, and the turn ends",
    rules: ["PERM-01"],
    mend: "Catch the error, take it for a rejection, and go on with the turn or end it.",
    run: (context) =>
      expectRefusedBy(context, "an error in place of an answer", ({ client, question }) =>
        client.peer.fail(question, 12_345, "No window to ask in", { odd: [null] }),
      ),
  }),
  hostile({
    id: "permission-without-an-outcome",
    title: "A tool is not run if the client's answer has no outcome",
    mend: "Run the tool only if outcome.outcome is selected and the option allows. Everything else is a no.",
    run: (context) =>
      expectRefusedBy(context, "an answer without an outcome", ({ client, question }) =>
        client.peer.reply(question, {}),
      ),
  }),
  hostile({
    id: "permission-answered-late",
    title: "A question can be open while many other messages pass",
    rules: ["RPC-11"],
    mend: "Wait for the answer with this id, however much else comes first. People take their time.",
    async run(context) {
      const { client, turn, question } = await asking(context);
      for (let count = 0; count < 50; count++) await client.peer.call("check/unknown", {});
      client.peer.reply(question, chosen(question.params, "allow"));
      await expectEnds(turn, "a permission that came after 50 other requests");
    },
  }),
  hostile({
    id: "permission-answered-twice",
    title: "A second answer to a question changes nothing",
    mend: "Forget a request when its first answer has come.",
    run: (context) =>
      expectRefusedBy(context, "a rejection that a permission followed", ({ client, question }) => {
        client.peer.reply(question, chosen(question.params, "reject"));
        client.peer.reply(question, chosen(question.params, "allow"));
      }),
  }),
  hostile({
    id: "permission-never-answered",
    title: "A turn that is cancelled ends even if its question is never answered",
    rules: ["CANC-05", "CANC-06"],
    seen: "https://github.com/ThinkInAIXYZ/deepchat/issues/1881",
    mend: "Stop to wait for the answer when session/cancel comes: a client may have closed its window already.",
    async run(context) {
      const { client, turn, toolCallId } = await asking(context);
      await turn.cancel();
      await expectCancelled(turn, "a cancel while its question stayed open");
      expectNotRun(turn, toolCallId, "a cancel");
      await expectGoesOn(context, client, "a question that was never answered");
    },
  }),
  hostile({
    id: "permission-answered-after-cancel",
    title: "A permission that comes after the turn was cancelled runs nothing",
    rules: ["CANC-07"],
    mend: "Forget the question when the turn ends. A permission that comes later must not run the tool.",
    async run(context) {
      const { client, turn, question, toolCallId } = await asking(context);
      await turn.cancel();
      await client.peer.call("check/unknown", {});
      client.peer.reply(question, chosen(question.params, "allow"));
      await expectEnds(turn, "a cancel that an answer to its question followed");
      await expectGoesOn(context, client, "a permission for a turn that was cancelled");
      expectNotRun(turn, toolCallId, "a permission for a turn that was cancelled");
    },
  }),
  hostile({
    id: "file-with-an-error",
    title: "A turn ends if the client cannot read the file",
    protocols: [1],
    mend: "Give the error to the model, or report a failed tool call. Do not let it end the agent.",
    run: (context) =>
      expectEndsAfterReading(context, "an error in place of a file", () => {
        throw new Error("No such file");
      }),
  }),
  hostile({
    id: "file-of-4-mib",
    title: "A turn ends if the file that the client reads has 4 MiB",
    seen: "https://github.com/MoonshotAI/kimi-cli/issues/831",
    protocols: [1],
    mend: "Raise the limit of your line reader, and give the model a part of the file.",
    async run(context) {
      const line = "All work and no play makes Jack a dull boy\n";
      const content = line.repeat(Math.ceil((4 * 1024 * 1024) / line.length));
      await expectEndsAfterReading(context, "a file of 4 MiB", () => ({ content }));
    },
  }),
  hostile({
    id: "file-without-content",
    title: "A turn ends if the client's answer has no content",
    protocols: [1],
    mend: "Look whether content is a text before you use it.",
    run: (context) => expectEndsAfterReading(context, "an answer without the file's content", () => ({})),
  }),
  hostile({
    id: "file-never-answered",
    title: "A turn that is cancelled ends even if the client never answers its request for a file",
    rules: ["CANC-05", "RCAN-08"],
    protocols: [1],
    mend: "Stop to wait for the client when session/cancel comes.",
    async run(context) {
      const { client, turn } = await reading(context, () => new Promise(() => {}));
      await turn.cancel();
      await expectCancelled(turn, "a cancel while it waited for a file");
      await expectGoesOn(context, client, "a file that never came");
    },
  }),
];
