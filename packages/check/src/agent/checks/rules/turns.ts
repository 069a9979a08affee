import { at, isCall, type Message, textAt } from "@acp/testing";

import { expectThat, NotApplicable } from "../../../engine/check.ts";
import { quote } from "../../../engine/quote.ts";
import { answerOf, expectGoesOn, listAt, must, should } from "../../agent-check.ts";
import type { AgentCheck, AgentContext, OpenedAgent, StartedAgent } from "../../agent-context.ts";
import {
  asking,
  busy,
  chosen,
  expectCancelled,
  expectEnds,
  expectNotRun,
  isOver,
  played,
  playShort,
  playToItsEnd,
  promptFor,
  promptId,
  promptsFor,
} from "../../agent-turns.ts";

const reasons: readonly unknown[] = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"];

/** What came after a message. */
function after({ peer }: StartedAgent, message: Message | undefined): readonly Message[] {
  return message === undefined ? [] : peer.received.slice(peer.received.indexOf(message) + 1);
}

/** A piece of the agent's answer in an update. */
function isText(message: Message): boolean {
  return textAt(message, "params", "update", "sessionUpdate") === "agent_message_chunk";
}

/** What ended the last turn: the answer to the prompt, or in version 2 the state that followed. */
function endOf({ settings }: AgentContext, { client, sessionId }: OpenedAgent): Message | undefined {
  const { peer } = client;
  if (settings.protocol === 1) return peer.answers(promptId(client))[0];
  return peer
    .calls("session/update")
    .findLast(
      ({ params }) => textAt(params, "sessionId") === sessionId && textAt(params, "update", "state") === "idle",
    );
}

/** Prompts an agent that advertises what the prompt has. Only an error that says that the prompt is wrong counts. */
async function expectTakes(context: AgentContext, opened: OpenedAgent, block: object, what: string): Promise<void> {
  const prompt = [{ type: "text", text: promptFor(context, "short") }, block];
  const { error } = await expectEnds(opened.client.prompt(prompt, opened.sessionId), `a prompt with ${what}`);
  const refused = error !== undefined && [-32_602, -32_601, -32_600].includes(error.code);
  expectThat(!refused, `It refused ${what} with ${error?.code}: ${error?.message}`);
}

/** The absolute paths and lines that an agent has sent. */
function pathsIn({ peer }: StartedAgent): readonly (readonly [where: string, path: unknown, line: unknown])[] {
  return peer.calls().flatMap(({ method, params }) => {
    const call = at(params, "update") ?? at(params, "toolCall") ?? at(params, "subject", "toolCall");
    const diffs = listAt(call, "content").filter(
      (item) => at(item, "type") === "diff" && at(item, "path") !== undefined,
    );
    const places = listAt(call, "locations");
    const own = method?.startsWith("fs/") === true ? [params] : [];
    return [...diffs, ...places, ...own].map((item) => [method ?? "", at(item, "path"), at(item, "line")] as const);
  });
}

/** Prompts, and how turns end. */
export const turns: readonly AgentCheck[] = [
  must({
    id: "turn-ends-with-a-reason",
    title: "A turn ends with one of the protocol's stop reasons",
    rules: ["PROM-08", "PROM-10", "INIT-16", "CHK-08"],
    mend: "Answer session/prompt with a stopReason: end_turn, max_tokens, max_turn_requests, refusal or cancelled.",
    async run(context) {
      const { stopReason } = await playShort(context, await context.open());
      const isKnown = context.settings.protocol === 2 ? stopReason !== undefined : reasons.includes(stopReason);
      expectThat(isKnown, `The turn ended with the stop reason ${quote(stopReason)}`);
    },
  }),
  must({
    id: "turn-is-answered-once",
    title: "A prompt is answered once",
    rules: ["PROM-08"],
    mend: "Send one answer for each request.",
    async run(context) {
      const opened = await played(context);
      await expectGoesOn(context, opened.client, "a turn");
      const answers = opened.client.peer.answers(promptId(opened.client));
      expectThat(answers.length === 1, `It answered the prompt ${answers.length} times: ${quote(answers)}`);
    },
  }),
  must({
    id: "text-comes-before-the-answer",
    title: "All text of a turn comes before the turn ends",
    rules: ["PROM-12"],
    seen: "https://github.com/anomalyco/opencode/issues/17505",
    mend: "Wait until each session/update of the turn is written, then answer session/prompt. Clients drop what comes later.",
    async run(context) {
      const opened = await played(context);
      await expectGoesOn(context, opened.client, "a turn");
      const late = after(opened.client, endOf(context, opened)).find(isText);
      expectThat(late === undefined, `After the end of the turn came ${quote(late)}`);
    },
  }),
  must({
    id: "takes-links",
    title: "An agent takes text and links to resources in prompts",
    rules: ["PROM-05"],
    mend: "Take blocks of type resource_link in each prompt, and give the model at least their URI.",
    async run(context) {
      const opened = await played(context);
      const link = { type: "resource_link", uri: "file:///project/notes.txt", name: "notes.txt" };
      await expectTakes(context, opened, link, "a link to a resource");
    },
  }),
  must({
    id: "takes-what-it-advertises",
    title: "An agent takes the kinds of content that it advertises",
    rules: ["PROM-06"],
    mend: "Advertise image, audio and embeddedContext only if prompts may have them.",
    async run(context) {
      const opened = await context.open();
      const path =
        context.settings.protocol === 1
          ? ["agentCapabilities", "promptCapabilities"]
          : ["capabilities", "session", "prompt"];
      const has = (name: string): boolean => Boolean(at(opened.initialized, ...path, name) ?? false);
      const resource = { uri: "file:///project/notes.txt", text: "Some notes", mimeType: "text/plain" };
      const blocks = [
        ...(has("image") ? [["an image", { type: "image", mimeType: "image/png", data: pixel }] as const] : []),
        ...(has("audio")
          ? [["audio", { type: "audio", mimeType: "audio/wav", data: "UklGRiQAAABXQVZF" }] as const]
          : []),
        ...(has("embeddedContext") ? [["a resource", { type: "resource", resource }] as const] : []),
      ];
      if (blocks.length === 0) throw new NotApplicable("The agent advertises no content besides text and links");
      await playShort(context, opened);
      for (const [what, block] of blocks) await expectTakes(context, opened, block, what);
    },
  }),
  must({
    id: "session-goes-on",
    title: "A session takes one prompt after the other",
    rules: ["PROM-14"],
    seen: "https://github.com/NousResearch/hermes-agent/issues/79196",
    mend: "When a turn has ended, the session must take the next prompt.",
    async run(context) {
      const opened = await played(context);
      for (const which of ["second", "third"]) {
        const turn = opened.client.prompt(promptFor(context, "short"), opened.sessionId);
        const { error } = await expectEnds(turn, `the ${which} prompt of a session`);
        expectThat(error === undefined, `It answered the ${which} prompt with ${error?.code}: ${error?.message}`);
      }
    },
  }),
  must({
    id: "cancelled-turn-ends-as-cancelled",
    title: "A turn that is cancelled ends with the stop reason cancelled, and with no error",
    rules: ["CANC-04", "CANC-05", "CANC-06", "ERR-10"],
    seen: "https://github.com/anomalyco/opencode/issues/30146",
    mend: "Stop the work, catch what your libraries throw when they are aborted, and answer the prompt with stopReason cancelled.",
    async run(context) {
      const { turn } = await busy(context);
      await turn.cancel();
      await expectCancelled(turn, "session/cancel");
    },
  }),
  must({
    id: "nothing-after-a-cancelled-turn",
    title: "What still comes of a cancelled turn comes before it ends",
    rules: ["CANC-07"],
    mend: "Send the last updates first, then answer the prompt. Afterwards send nothing of that turn.",
    async run(context) {
      const opened = await busy(context);
      await opened.turn.cancel();
      await expectEnds(opened.turn, "session/cancel");
      await expectGoesOn(context, opened.client, "a cancelled turn");
      const late = after(opened.client, endOf(context, opened)).find(isText);
      expectThat(late === undefined, `After the end of the cancelled turn came ${quote(late)}`);
    },
  }),
  must({
    id: "cancel-without-a-turn-does-nothing",
    title: "Cancelling a session in which nothing runs has no effect on its next turn",
    rules: ["CANC-10"],
    mend: "Ignore session/cancel if nothing runs. Do not keep it for the next prompt.",
    async run(context) {
      const opened = await context.open();
      const expected = await playShort(context, opened);
      opened.client.peer.notify("session/cancel", { sessionId: opened.sessionId });
      await answerOf(opened.client, "check/unknown", {});
      const turn = opened.client.prompt(promptFor(context, "short"), opened.sessionId);
      const { stopReason } = await expectEnds(turn, "a cancel that came when nothing ran");
      expectThat(stopReason === expected.stopReason, `The next turn ended as ${stopReason}`);
    },
  }),
  must({
    id: "cancel-with-an-open-question",
    title: "A turn that is cancelled while it asks for permission ends as cancelled",
    rules: ["CANC-05", "CANC-06", "RCAN-08"],
    mend: "Take the outcome cancelled for the end of the turn: do not run the tool, and answer the prompt with stopReason cancelled.",
    async run(context) {
      const { client, turn, question, toolCallId } = await asking(context);
      await turn.cancel();
      client.peer.reply(question, { outcome: { outcome: "cancelled" } });
      await expectCancelled(turn, "session/cancel during a request for permission");
      expectNotRun(turn, toolCallId, "the cancelled request");
    },
  }),
  must({
    id: "cancelled-request-is-answered-once",
    title: "A prompt that is taken back with $/cancel_request is still answered, once",
    rules: ["RCAN-04", "RCAN-01"],
    mend: "Ignore $/cancel_request, or end the work; in either case answer the request once, with a result or with error -32800.",
    async run(context) {
      const opened = await busy(context);
      const { client, turn } = opened;
      const requestId = promptId(client);
      client.peer.notify("$/cancel_request", { requestId });
      await answerOf(client, "check/unknown", {});
      if (!isOver(turn)) await turn.cancel();
      await expectEnds(turn, "$/cancel_request and session/cancel");
      await expectGoesOn(context, client, "$/cancel_request");
      const answers = client.peer.answers(requestId);
      expectThat(answers.length === 1, `It answered the prompt ${answers.length} times: ${quote(answers)}`);
      const code = at(answers[0], "error", "code");
      expectThat(
        code === undefined || code === -32_800,
        `It answered the prompt with the error ${quote(answers[0]?.error)}`,
      );
    },
  }),
  must({
    id: "question-offers-options",
    title: "A request for permission has options, each with an id of its own, a name and a kind",
    rules: ["PERM-02", "PERM-03"],
    mend: "Give each option an optionId, a name, and the kind allow_once, allow_always, reject_once or reject_always.",
    async run(context) {
      const { client, turn, question } = await asking(context);
      const options = listAt(question, "params", "options");
      expectThat(options.length > 0, `The question has no options: ${quote(question)}`);
      for (const option of options) {
        const isWhole = ["optionId", "name", "kind"].every((member) => (textAt(option, member) ?? "") !== "");
        expectThat(isWhole, `The question has the option ${quote(option)}`);
        const isKnown = /^(?:allow|reject)_(?:once|always)$/u.test(textAt(option, "kind") ?? "");
        expectThat(
          isKnown || context.settings.protocol === 2,
          `The option is of the kind ${quote(at(option, "kind"))}`,
        );
      }
      const ids = new Set(options.map((option) => textAt(option, "optionId")));
      expectThat(ids.size === options.length, `Two options have the same id: ${quote(options)}`);
      client.peer.reply(question, chosen(question.params, "reject"));
      await expectEnds(turn, "a rejection");
    },
  }),
  must({
    id: "allowed-tool-runs",
    title: "A tool that is allowed runs to an end, and its call is completed or failed",
    rules: ["TOOL-07", "PERM-01"],
    seen: "https://github.com/can1357/oh-my-pi/issues/10850",
    mend: "Read outcome.outcome selected and outcome.optionId as the schema has them, run the tool, and report completed or failed.",
    async run(context) {
      const { client, turn, question, toolCallId } = await asking(context);
      client.peer.reply(question, chosen(question.params, "allow"));
      const { calls, error } = await expectEnds(turn, "a permission");
      expectThat(error === undefined, `The turn ended with ${error?.code}: ${error?.message}`);
      const call = calls.find(({ id }) => id === toolCallId);
      const isDone = call === undefined || ["completed", "failed", "cancelled"].includes(call.status);
      expectThat(isDone, `At the end of the turn the tool call is ${call?.status}`);
    },
  }),
  must({
    id: "tool-calls-have-ids-and-titles",
    title: "A tool call has an id and a title, and is announced before it is updated",
    rules: ["TOOL-02", "TOOL-05"],
    protocols: [1],
    mend: "Send tool_call with toolCallId and title first, then tool_call_update with the same toolCallId.",
    async run(context) {
      const { client, turn, question } = await asking(context);
      client.peer.reply(question, chosen(question.params, "reject"));
      await expectEnds(turn, "a rejection");
      // A question may announce its call as well.
      const known = new Set<unknown>();
      for (const { params } of client.peer.calls()) {
        const update = at(params, "update");
        const kind = textAt(update, "sessionUpdate");
        const id = textAt(update ?? at(params, "toolCall"), "toolCallId");
        if (kind === "tool_call") {
          expectThat((id ?? "") !== "" && textAt(update, "title") !== undefined, `A tool call is ${quote(update)}`);
          expectThat(!known.has(id), `Two tool calls have the id ${quote(id)}`);
        } else if (kind === "tool_call_update") {
          expectThat(known.has(id), `It updated a tool call that it had not announced: ${quote(update)}`);
        }
        if (id !== undefined && kind !== "tool_call_update" && kind !== undefined) known.add(id);
      }
    },
  }),
  must({
    id: "uses-only-what-is-advertised",
    title: "An agent uses no files, terminals or forms of a client that has none",
    rules: ["FS-01", "FS-02", "TERM-01", "TERM-02", "ELIC-01", "INIT-12", "CHK-02"],
    mend: "Look at clientCapabilities of initialize before you call fs/, terminal/ or elicitation/ methods.",
    async run(context) {
      const opened = await played(context);
      for (const text of promptsFor(context, "read", "permission"))
        await playToItsEnd(opened.client.prompt(text, opened.sessionId));
      const call = opened.client.peer
        .calls()
        .find(({ method }) => /^(?:fs|terminal|elicitation)\//u.test(method ?? ""));
      expectThat(call === undefined, `It called ${call?.method}, which the client did not advertise`);
    },
  }),
  must({
    id: "paths-are-absolute",
    title: "Paths that an agent sends are absolute, and lines are counted from 1",
    rules: ["CONV-02", "CONV-03", "TOOL-10", "TOOL-13", "FS-07"],
    mend: "Resolve paths against the session's cwd before you send them in diffs, locations and fs/ methods.",
    async run(context) {
      const opened = await context.open(context.settings.protocol === 1 ? { files: {} } : {});
      await playShort(context, opened);
      for (const text of promptsFor(context, "read", "permission"))
        await playToItsEnd(opened.client.prompt(text, opened.sessionId));
      for (const [where, path, line] of pathsIn(opened.client)) {
        const isAbsolute = typeof path === "string" && /^(?:\/|\\|[A-Za-z]:)/u.test(path);
        expectThat(isAbsolute, `It sent the path ${quote(path)} in ${where}, which is not absolute`);
        const isLine = line === undefined || line === null || (typeof line === "number" && line >= 1);
        expectThat(isLine, `It sent the line ${quote(line)} in ${where}`);
      }
    },
  }),
  should({
    id: "turn-says-something",
    title: "A turn that ends well has brought text, or a tool call",
    rules: ["INIT-16"],
    seen: "https://github.com/xenodium/agent-shell/issues/519",
    mend: "Send what the model says as agent_message_chunk in session/update.",
    async run(context) {
      const opened = await context.open();
      const { stopReason, items } = await playShort(context, opened);
      if (stopReason !== "end_turn") throw new NotApplicable(`The turn ended as ${stopReason}`);
      expectThat(items.length > 0, "The turn ended with end_turn, and nothing came before");
    },
  }),
  must({
    id: "updates-name-their-session",
    title: "Each update names its session and its kind",
    rules: ["UPD-01", "UPD-03"],
    mend: "session/update needs sessionId, the one of session/new, and update.sessionUpdate.",
    async run(context) {
      const opened = await played(context);
      for (const update of opened.client.peer.received.filter((message) => isCall(message, "session/update"))) {
        expectThat(
          textAt(update, "params", "sessionId") === opened.sessionId,
          `An update names no session: ${quote(update)}`,
        );
        const kind = textAt(update, "params", "update", "sessionUpdate");
        expectThat((kind ?? "") !== "", `An update has no kind: ${quote(update)}`);
        const isChunk = kind?.endsWith("message_chunk") === true;
        const content = at(update, "params", "update", "content");
        expectThat(!isChunk || textAt(content, "type") !== undefined, `A chunk has no content block: ${quote(update)}`);
      }
    },
  }),
];

/** A picture of one pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
