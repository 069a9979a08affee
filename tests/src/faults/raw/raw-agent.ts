/**
 * `raw-agent.js <cell as JSON>`: an agent in plain JSON, without the toolkit. It behaves until the step of its cell comes;
 * then its fault strikes, and whatever the fault leaves of it goes on.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync } from "node:fs";
import process from "node:process";

import { type Cell, effectOf } from "../cell.ts";
import { answerReversed, type OpenRequest } from "../faults.ts";
import { type RawMessage, RawPeer } from "./raw-peer.ts";
import { Striker } from "./strike.ts";

/** Only for one that nobody ends: more than a cell may take. */
const longest = 180_000;

const cell = JSON.parse(process.argv[2] ?? "") as Cell;
const isVersion1 = cell.version === 1;
let lives = false;

const peer = new RawPeer(cell.framing, process.stdin, process.stdout, receive, () => {
  if (!lives) process.exit();
});
const striker = new Striker(cell, peer, {
  stopReading() {
    liveOn();
    process.stdin.pause();
    // Destroying the stream would leave the pipe open.
    closeSync(0);
  },
  endOutput: () => closeSync(1),
  async pause() {
    const waker = spawn("/bin/sh", ["-c", `sleep 0.2; kill -CONT ${process.pid}`], { stdio: "ignore" });
    await once(waker, "spawn");
    process.kill(process.pid, "SIGSTOP");
    await once(waker, "close");
  },
  end: (how) => (typeof how === "number" ? process.exit(how) : void process.kill(process.pid, how)),
  writeStderr: (text) => new Promise((resolve) => process.stderr.write(text, () => resolve())),
});

/** Does not end with its stdin: whoever has started it has to end it. */
function liveOn(): void {
  lives = true;
  setTimeout(() => process.exit(9), longest);
}

const signals = new Map<string, () => void>();
/** Resolves when the client has told something: that its handler runs, or that its turn is cancelled. */
const told = (what: string): Promise<void> => new Promise((resolve) => signals.set(what, resolve));

const echo = answerReversed(peer);
let isGone = false;
let sessions = 0;

const ready = strike("before initialize");

async function strike(step: string, open?: OpenRequest): Promise<"goes on" | "answered" | "gone"> {
  const aftermath = await striker.at(step, open);
  isGone ||= aftermath === "gone";
  return isGone ? "gone" : aftermath;
}

function receive(message: RawMessage): void {
  void ready.then(() => (isGone ? undefined : handle(message)));
}

/** Answers, unless the fault does. */
async function answer(id: unknown, result: object, step: string): Promise<void> {
  if ((await strike(step, { id, result })) === "goes on") peer.send({ id, result });
}

async function handle({ id, method = "", params = {} }: RawMessage): Promise<void> {
  const { sessionId } = params as { readonly sessionId?: string };
  switch (method) {
    case "initialize":
      await answer(id, initialized, "during initialize");
      return void (await strike("after initialize"));
    case "authenticate":
    case "auth/login":
      return answer(id, {}, "authenticate");
    case "session/new":
      return answer(id, { sessionId: (striker.sessionId = `session-${(sessions += 1)}`) }, "new session");
    case "session/load":
    case "session/resume":
      update(sessionId, {
        sessionUpdate: "user_message_chunk",
        messageId: "old",
        content: { type: "text", text: "Hello" },
      });
      if (!isVersion1) update(sessionId, { sessionUpdate: "state_update", state: "idle" });
      await answer(id, {}, "load session");
      striker.sessionId = sessionId;
      return;
    case "session/prompt":
      return prompted(id, sessionId, (params as { readonly prompt: [{ readonly text: string }] }).prompt[0].text);
    case "session/cancel":
      return signals.get("cancel")?.();
    case "session/close":
      return answer(id, {}, "close session");
    case "_asked":
      return signals.get((params as { readonly what: string }).what)?.();
    case "_echo":
      return echo({ id, params });
    default:
      if (id !== undefined) peer.send({ id, error: { code: -32601, message: "Method not found" } });
  }
}

const initialized = isVersion1
  ? {
      protocolVersion: 1,
      agentCapabilities: { loadSession: true, sessionCapabilities: { close: {} } },
      authMethods: [{ id: "login", name: "Log in" }],
    }
  : {
      protocolVersion: 2,
      info: { name: "raw", version: "1" },
      capabilities: { session: {} },
      authMethods: [{ type: "agent", methodId: "login", name: "Log in" }],
    };

function update(sessionId: unknown, content: object): void {
  peer.send({ method: "session/update", params: { sessionId, update: content } });
}

function say(sessionId: unknown, text: string): void {
  update(sessionId, { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text } });
}

/** The answer to a prompt: of its end in version 1, of its beginning in version 2. */
function promptResult(stopReason: string): object {
  return isVersion1 ? { stopReason } : { messageId: `message-${striker.sessionId}` };
}

async function prompted(id: unknown, sessionId: unknown, text: string): Promise<void> {
  const stopReason = text === "wait" ? "cancelled" : "end_turn";
  const open = isVersion1 ? { id, result: promptResult(stopReason) } : undefined;
  let isAnswered = false;
  /** Strikes; whether the turn goes on. */
  const at = async (step: string, asked = open): Promise<boolean> => {
    const aftermath = await strike(step, asked);
    isAnswered ||= aftermath === "answered";
    // An answer ends the turn of version 1, and in version 2 one that is refused.
    return aftermath === "goes on" || (aftermath === "answered" && !isVersion1 && effectOf(cell) !== "answer");
  };
  const isWork = text === "work";
  if (isWork && !(await at("before the first update", { id, result: promptResult(stopReason) }))) return;
  if (!isVersion1) {
    if (!isAnswered) peer.send({ id, result: promptResult(stopReason) });
    update(sessionId, { sessionUpdate: "state_update", state: "running" });
  }
  // A peer that has heard what is no message tells so here.
  say(sessionId, text === "probe" ? `probed ${peer.strays.length}` : "one ");
  if (isWork && !(await work(sessionId, at))) return;
  if (text === "wait") {
    await told("cancel");
    if (!(await at("cancel"))) return;
  }
  if (isVersion1) peer.send({ id, result: promptResult(stopReason) });
  else update(sessionId, { sessionUpdate: "state_update", state: "idle", stopReason });
}

async function work(sessionId: unknown, at: (step: string) => Promise<boolean>): Promise<boolean> {
  if (!(await at("amid updates"))) return false;
  say(sessionId, "two ");
  const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
  const question = isVersion1 ? { toolCall: { toolCallId: "call", title: "Work" } } : { title: "Work" };
  if (!(await ask("question for permission", "session/request_permission", { sessionId, ...question, options }, at)))
    return false;
  const isDone = isVersion1
    ? await ask("request to the client", "fs/read_text_file", { sessionId, path: "/work" }, at)
    : await ask("request to the client", "elicitation/create", { sessionId, ...form }, at);
  if (isDone) say(sessionId, "three");
  return isDone;
}

const form = { mode: "form", message: "Work", requestedSchema: { type: "object", properties: {} } };

/** Asks the client, and lets the fault strike while its handler runs. */
async function ask(
  step: string,
  method: string,
  params: object,
  at: (step: string) => Promise<boolean>,
): Promise<boolean> {
  const asked = told(method);
  const answered = peer.request(method, params);
  await asked;
  const goesOn = await at(step);
  peer.send({ method: "_go", params: { what: method } });
  if (!goesOn) return false;
  await answered;
  return true;
}

if (peer.ended && !lives) process.exit();
