import { at, isCall, type Message, textAt } from "@acp/testing";

import { expectThat, NotApplicable, NotReached } from "../../../engine/check.ts";
import { quote } from "../../../engine/quote.ts";
import {
  answerOf,
  expectComes,
  expectGoesOn,
  expectRefused,
  hasMethod,
  listAt,
  loadOf,
  must,
  newSessionParams,
  openedWith,
  requireMethod,
  resultOf,
  should,
} from "../../agent-check.ts";
import type { AgentCheck, AgentContext, OpenedAgent } from "../../agent-context.ts";
import { busy, expectCancelled, playShort, promptFor } from "../../agent-turns.ts";

/** What was said in a session, in these messages of its agent. */
function saidIn(messages: readonly Message[], sessionId: string, kind: "agent" | "user"): string {
  return messages
    .filter((message) => isCall(message, "session/update") && textAt(message, "params", "sessionId") === sessionId)
    .map((message) => at(message, "params", "update"))
    .filter((update) => textAt(update, "sessionUpdate")?.startsWith(`${kind}_message`))
    .map((update) => {
      const blocks = listAt(update, "content").map((block) => textAt(block, "text") ?? "");
      return textAt(update, "content", "text") ?? blocks.join("");
    })
    .join("");
}

/** Plays a turn, ends the session, and has another look at it: on the same connection if it can be closed, else on a new one. */
async function reopened(context: AgentContext, opened: OpenedAgent): Promise<OpenedAgent> {
  if (hasMethod(context, opened.initialized, "close")) {
    await opened.client.peer.call("session/close", { sessionId: opened.sessionId });
    return opened;
  }
  await (opened.client.program ?? opened.client).close();
  return { ...opened, ...(await context.initialize()) };
}

/** Plays a turn, loads its session, and tells what came before and after the answer. */
async function loaded(context: AgentContext): Promise<{
  readonly sessionId: string;
  /** What the agent said in the turn. */
  readonly before: string;
  readonly messages: Readonly<Record<"history" | "late", readonly Message[]>>;
}> {
  const first = await openedWith(context, "load");
  await playShort(context, first);
  const { sessionId } = first;
  const before = saidIn(first.client.peer.received, sessionId, "agent").trim();
  const { client } = await reopened(context, first);
  const { peer } = client;
  const from = peer.received.length;
  const [method, params] = loadOf(context, sessionId);
  const answer = await answerOf(client, method, params);
  if (answer.error !== undefined) throw new NotReached(`The agent refused ${method}: ${quote(answer.error)}`);
  await expectGoesOn(context, client, method);
  const place = peer.received.indexOf(answer);
  const messages = { history: peer.received.slice(from, place), late: peer.received.slice(place + 1) };
  return { sessionId, before, messages };
}

async function listed(opened: OpenedAgent, params: object = {}): Promise<readonly unknown[]> {
  const result = resultOf(await answerOf(opened.client, "session/list", params), "session/list");
  const sessions = at(result, "sessions");
  expectThat(Array.isArray(sessions), `session/list resulted in ${quote(result)}, which has no list of sessions`);
  return sessions;
}

/** Sessions: opened, loaded, resumed, listed, closed, deleted. */
export const sessions: readonly AgentCheck[] = [
  must({
    id: "opens-sessions",
    title: "An agent opens sessions, each with an id of its own",
    rules: ["INIT-16", "SESS-02", "CHK-01"],
    mend: "Answer session/new with a sessionId that no other session has.",
    async run(context) {
      const { client, sessionId } = await context.open();
      const result = resultOf(await answerOf(client, "session/new", newSessionParams(context)), "a second session/new");
      const second = textAt(result, "sessionId") ?? "";
      expectThat(second !== "", `The second session/new resulted in ${quote(result)}`);
      expectThat(second !== sessionId, `Two sessions have the id ${quote(second)}`);
    },
  }),
  must({
    id: "refuses-an-unknown-session",
    title: "An agent answers a prompt for a session that nobody knows with an error",
    rules: ["SESS-26"],
    seen: "https://github.com/NousResearch/hermes-agent/issues/74678",
    mend: "Answer session/prompt with an error if you do not know the sessionId; -32002 is the code for it.",
    async run(context) {
      const { client } = await context.open();
      const params = { sessionId: "no-such-session", prompt: [{ type: "text", text: "Hi" }] };
      expectRefused(await answerOf(client, "session/prompt", params), "a prompt for an unknown session");
    },
  }),
  should({
    id: "relative-directory-is-refused",
    title: "An agent refuses a working directory that is no absolute path",
    rules: ["CONV-02", "CHK-03"],
    mend: "Answer session/new with error -32602 if cwd is relative: it would mean another folder on your side.",
    async run(context) {
      const { client } = await context.initialize();
      const answer = await answerOf(client, "session/new", { cwd: "some/folder", mcpServers: [] });
      expectRefused(answer, "session/new with the relative cwd some/folder");
    },
  }),
  must({
    id: "lists-sessions",
    title: "A list of sessions has the id and the absolute directory of each",
    rules: ["LIST-03", "LIST-09"],
    mend: "Answer session/list with sessions, a list whose entries have sessionId and an absolute cwd.",
    async run(context) {
      const opened = await openedWith(context, "list");
      await playShort(context, opened);
      for (const session of await listed(opened)) {
        expectThat(textAt(session, "sessionId") !== undefined, `A listed session has no id: ${quote(session)}`);
        const cwd = textAt(session, "cwd") ?? "";
        expectThat(/^(?:\/|\\|[A-Za-z]:)/u.test(cwd), `A listed session has no absolute cwd: ${quote(session)}`);
      }
    },
  }),
  must({
    id: "lists-sessions-of-a-directory",
    title: "A list for one directory has only sessions of that directory, and may be empty",
    rules: ["LIST-02", "LIST-04"],
    mend: "If session/list names a cwd, leave out the sessions of other directories. None at all is an empty list, not an error.",
    async run(context) {
      const opened = await openedWith(context, "list");
      await playShort(context, opened);
      // An agent may make a folder that it is asked about.
      const { cwd: parent } = context.settings;
      const cwd = `${parent}${parent.startsWith("/") ? "/" : "\\"}no-such-folder`;
      const found = await listed(opened, { cwd });
      expectThat(found.length === 0, `The list for ${cwd} has ${quote(found)}`);
    },
  }),
  should({
    id: "unknown-cursor-is-refused",
    title: "An agent refuses a cursor that it did not give out",
    rules: ["LIST-07"],
    mend: "Answer session/list with error -32602 if you do not know its cursor.",
    async run(context) {
      const opened = await openedWith(context, "list");
      const answer = await answerOf(opened.client, "session/list", { cursor: "no-such-cursor" });
      expectRefused(answer, "session/list with a cursor that it never gave out");
    },
  }),
  must({
    id: "load-replays-the-conversation",
    title: "A session that is loaded replays all of its conversation before the answer",
    rules: ["SESS-06", "SESS-07", "SESS-08"],
    seen: "https://github.com/NousResearch/hermes-agent/issues/12285",
    mend: "Send each message of the user and the agent as session/update, wait until all are written, then answer session/load.",
    async run(context) {
      const { sessionId, before, messages } = await loaded(context);
      const said = saidIn(messages.history, sessionId, "agent");
      // What it says in front of its answer, such as a warning, need not belong to the conversation.
      const isReplayed = said.includes(before) || (said.trim() !== "" && before.endsWith(said.trim()));
      expectThat(isReplayed, `Before its answer it replayed ${quote(said)} of ${quote(before)}`);
      const user = saidIn(messages.history, sessionId, "user");
      expectThat(user.includes(promptFor(context, "short").trim()), `It replayed ${quote(user)} of what the user said`);
    },
  }),
  must({
    id: "no-history-after-load",
    title: "Nothing of a loaded session's conversation comes after the answer",
    rules: ["SESS-07"],
    seen: "https://github.com/NousResearch/hermes-agent/pull/26957",
    mend: "Wait until each update of the conversation is written, then answer session/load. Clients take what comes later for news.",
    async run(context) {
      const { sessionId, before, messages } = await loaded(context);
      const late = { agent: saidIn(messages.late, sessionId, "agent"), user: saidIn(messages.late, sessionId, "user") };
      // It may greet its user.
      const isOld = late.agent.trim() !== "" && before.includes(late.agent.trim());
      expectThat(!isOld && late.user === "", `After its answer came ${quote(isOld ? late.agent : late.user)}`);
    },
  }),
  must({
    id: "load-refuses-an-unknown-session",
    title: "An agent answers session/load for a session that nobody knows with an error",
    rules: ["SESS-26"],
    seen: "https://github.com/NousResearch/hermes-agent/issues/74678",
    mend: "Answer with an error, -32002 for instance. A success tells the user that the conversation is there.",
    async run(context) {
      const opened = await openedWith(context, "load");
      const [method, params] = loadOf(context, "00000000-0000-4000-8000-000000000000");
      expectRefused(await answerOf(opened.client, method, params), `${method} for an unknown session`);
      await expectGoesOn(context, opened.client, `${method} for an unknown session`);
    },
  }),
  must({
    id: "resume-replays-nothing",
    title: "A session that is resumed does not replay its history",
    rules: ["SESS-12"],
    mend: "Answer session/resume without sending old messages again: the client has them.",
    async run(context) {
      const first = await openedWith(context, "resume");
      await playShort(context, first);
      const { client } = await reopened(context, first);
      const from = client.peer.received.length;
      const params = newSessionParams(context, { sessionId: first.sessionId });
      const { error } = await answerOf(client, "session/resume", params);
      if (error !== undefined) throw new NotReached(`The agent refused session/resume: ${quote(error)}`);
      await expectGoesOn(context, client, "session/resume");
      const replayed = saidIn(client.peer.received.slice(from), first.sessionId, "agent");
      expectThat(replayed === "", `It replayed ${quote(replayed)}`);
    },
  }),
  must({
    id: "closes-sessions",
    title: "Closing a session succeeds with an object",
    rules: ["SESS-16"],
    mend: "Answer session/close with {}.",
    async run(context) {
      const opened = await openedWith(context, "close");
      const answer = await answerOf(opened.client, "session/close", { sessionId: opened.sessionId });
      const result = resultOf(answer, "session/close");
      expectThat(typeof result === "object" && result !== null, `session/close resulted in ${quote(result)}`);
    },
  }),
  must({
    id: "close-cancels-the-turn",
    title: "Closing a session cancels the turn that runs in it",
    rules: ["SESS-15"],
    mend: "When session/close comes during a prompt, end it as session/cancel would: answer it with the stop reason cancelled.",
    async run(context) {
      const opened = await busy(context);
      requireMethod(context, opened, "close");
      const answer = await answerOf(opened.client, "session/close", { sessionId: opened.sessionId });
      resultOf(answer, "session/close during a turn");
      await expectCancelled(opened.turn, "session/close");
    },
  }),
  must({
    id: "deleted-sessions-are-not-listed",
    title: "A session that is deleted is listed no more",
    rules: ["LIST-15"],
    mend: "Answer session/delete with {}, and leave the session out of later lists.",
    async run(context) {
      const opened = await openedWith(context, "delete", "list");
      await playShort(context, opened);
      const { sessionId } = opened;
      resultOf(await answerOf(opened.client, "session/delete", { sessionId }), "session/delete");
      const found = (await listed(opened)).find((session) => textAt(session, "sessionId") === sessionId);
      expectThat(found === undefined, `The deleted session is still listed: ${quote(found)}`);
    },
  }),
  should({
    id: "deleting-nothing-succeeds",
    title: "Deleting a session that does not exist succeeds",
    rules: ["LIST-16"],
    mend: "Answer session/delete with {} if the session is gone already: the client has what it wanted.",
    async run(context) {
      const opened = await openedWith(context, "delete");
      const answer = await answerOf(opened.client, "session/delete", { sessionId: "no-such-session" });
      resultOf(answer, "session/delete for a session that does not exist");
    },
  }),
  must({
    id: "sessions-side-by-side",
    title: "Two sessions work side by side, and each update names its own",
    rules: ["SESS-03", "UPD-01"],
    mend: "Keep the state of each session apart, and put its sessionId into each update.",
    async run(context) {
      const first = await context.open();
      const sessionId = textAt(
        resultOf(await answerOf(first.client, "session/new", newSessionParams(context)), "a second session/new"),
        "sessionId",
      );
      if (sessionId === undefined) throw new NotReached("The second session has no id");
      await playShort(context, first);
      const { peer } = first.client;
      if (saidIn(peer.received, first.sessionId, "agent") === "")
        throw new NotApplicable("The agent says nothing to the short prompt");
      const from = peer.received.length;
      const both = [first.sessionId, sessionId];
      const turns = both.map((session) => first.client.prompt(promptFor(context, "short"), session));
      await expectComes(Promise.all(turns), "Two prompts in two sessions did not both end");
      for (const session of both) {
        const said = saidIn(peer.received.slice(from), session, "agent");
        expectThat(said !== "", `Nothing came for session ${session} while the other one worked as well`);
      }
    },
  }),
];
