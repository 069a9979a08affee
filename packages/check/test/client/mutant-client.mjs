/* oxlint-disable typescript/consistent-return -- a method answers, or lets its fault show */
// A small client in plain JSON, which does all that the checks want. FAULT in its environment switches one fault on, DIES_ON is
// a pattern for updates by which it dies, DETACHES gives its agent a group of its own. The arguments are the prompt, or `-` for prompts on stdin, and the agent's command.
import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import process from "node:process";

const [prompt = "", command = "", ...args] = process.argv.slice(2);
const protocol = Number(process.env.PROTOCOL ?? 1);
const is = (fault) => process.env.FAULT === fault;
const diesOn = process.env.DIES_ON === undefined ? undefined : new RegExp(process.env.DIES_ON, "su");
const isHasty = is("hasty") || is("answers-first-and-ends");
const asksUser = process.env.ASKS !== undefined;

const isInteractive = prompt === "-";
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], detached: process.env.DETACHES !== undefined });
agent.stdin.on("error", () => {});
let words = "";
if (!is("deaf-to-stderr")) {
  agent.stderr.setEncoding("utf8").on("data", (text) => {
    // oxlint-disable-next-line no-control-regex -- is what makes it die
    if (is("strict-stderr") && /[\u0000-\u0009]/u.test(text)) process.exit(1);
    words = (words + text).slice(-2000);
  });
}

const pending = new Map();
const terminals = new Map();
const questions = new Map();
let lastId = 0;
let sessionId;
let capabilities = {};
let isCancelled = false;
let isStarting = true;
let isDeaf = false;
let isOver = false;
let chunks = 0;
let lastMessage;

const say = (text) => process.stderr.write(`${text}\n`);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const send = (message) => agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const request = (method, params) =>
  new Promise((resolve, reject) => {
    pending.set(++lastId, { resolve, reject });
    send({ id: lastId, method, params });
  });

/** Ends the agent, then this client. */
async function end(code, reason) {
  if (isOver || is("never-ends")) return;
  isOver = true;
  if (reason !== undefined && !is("ends-silently")) say(reason);
  if (is("ends-silently")) code = 0;
  if (!is("leaves-terminals")) for (const { child } of terminals.values()) child.kill("SIGKILL");
  agent.stdin.end();
  // Who reads it may be slow, and what is still to be written is lost with this process.
  await new Promise((resolve) => process.stdout.write("", resolve));
  if (process.env.QUICK !== undefined) {
    // Sound as well: it has ended its agent in its last moment.
    agent.kill(process.env.QUICK);
    process.exit(code);
  }
  const isGone = () => agent.exitCode !== null || agent.signalCode !== null;
  const within = (milliseconds) =>
    Promise.race([new Promise((resolve) => agent.once("exit", resolve)), pause(milliseconds)]);
  if (!isGone()) await within(1000);
  if (!isGone() && !is("never-kills")) {
    agent.kill("SIGTERM");
    await within(1000);
    if (!isGone() && !is("no-sigkill")) agent.kill("SIGKILL");
  }
  process.exit(code);
}

function show(text) {
  if (is("shows-nothing")) return;
  process.stdout.write(text);
}

function take(message) {
  if (typeof message !== "object" || message === null || Array.isArray(message)) {
    if (is("strict-json")) process.exit(1);
    return;
  }
  if (is("strict-json") && message.jsonrpc !== "2.0") process.exit(1);
  if (typeof message.method === "string" && !(is("mixes-ids") && pending.has(message.id))) return takeCall(message);
  const anyone = is("takes-any-answer") ? pending.get(lastId) : undefined;
  const waiting = anyone ?? pending.get(message.id);
  if (waiting === undefined) {
    if (is("strict-answers")) process.exit(1);
    return;
  }
  pending.delete(message.id);
  if ((isHasty || is("late-questions-hang")) && sessionId !== undefined) isAnswered = true;
  if (message.error != null) waiting.reject(message.error);
  else waiting.resolve(message.result);
}

function takeCall({ id, method, params }) {
  if (method === "session/update") return update(params);
  if (method === "$/cancel_request" && is("answers-twice"))
    send({ id: params.requestId, error: { code: -32_800, message: "x" } });
  if (id === undefined) {
    if (is("answers-notifications") && !method.startsWith("$/"))
      send({ id: null, error: { code: -32_601, message: "No" } });
    return;
  }
  const reply = (result) => send({ id: is("numbers-ids") ? Number(id) || id : id, result });
  const fail = (code, message) => send({ id: is("numbers-ids") ? Number(id) || id : id, error: { code, message } });
  const serve = serves[method];
  if (serve !== undefined) return void serve(params ?? {}, reply, fail, id);
  if (is("accepts-unknown")) reply({});
  else if (method === "elicitation/create" && is("elicits")) reply({ action: "accept", content: {} });
  else fail(-32_601, "Method not found");
}

const serves = {
  "session/request_permission"(params, reply, fail, id) {
    const { options, sessionId: of } = params;
    if (isOver || (is("late-questions-hang") && isAnswered)) return void (isStuck = true);
    if (is("knows-its-sessions") && of !== sessionId) return;
    if (is("knows-its-calls") && !known.has(params.toolCall?.toolCallId)) return;
    if (is("one-question-at-a-time") && questions.size > 0) return;
    const answer = (outcome) => {
      questions.delete(id);
      reply({ outcome });
    };
    questions.set(id, answer);
    isDeaf = is("deaf-in-questions");
    if (asksUser) return show(`\n? ${params.toolCall?.title ?? params.title}\n`);
    if (is("one-question-at-a-time")) return void setTimeout(() => answer({ outcome: "cancelled" }), 100);
    if (is("invents-options")) return answer({ outcome: "selected", optionId: "allow" });
    if (is("needs-options")) return answer({ outcome: "selected", optionId: options[0].optionId });
    const last = is("takes-the-last-option") ? options.at(-1) : options.find(({ kind }) => kind === "reject_once");
    answer(last === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: last.optionId });
  },
  async "fs/read_text_file"({ path, line = 1, limit }, reply, fail) {
    if (is("reads-no-files")) return void fail(-32_601, "Method not found");
    try {
      const lines = (await readFile(path, "utf8")).split("\n");
      const content = lines.slice(line - 1, limit === undefined ? undefined : line - 1 + limit).join("\n");
      reply({ content });
    } catch {
      if (!is("no-answer-for-missing-files")) fail(-32_002, "Not found");
    }
  },
  async "fs/write_text_file"({ path, content }, reply, fail) {
    if (is("lies-about-writing")) return void reply({});
    if (!is("writes-anywhere") && relative(process.cwd(), path).startsWith("..")) return void fail(-32_602, "Outside");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    reply({});
  },
  "terminal/create"({ command: program, args: options, cwd }, reply) {
    const terminalId = `terminal-${terminals.size + 1}`;
    const child = spawn(program, options, { cwd, stdio: ["ignore", "pipe", "pipe"], detached: is("leaves-terminals") });
    const terminal = {
      child,
      output: "",
      exited: new Promise((resolve) => child.on("close", (exitCode, signal) => resolve({ exitCode, signal }))),
    };
    child.stdout.on("data", (text) => (terminal.output += text));
    terminals.set(terminalId, terminal);
    reply({ terminalId });
  },
  "terminal/output"({ terminalId }, reply, fail) {
    const terminal = terminals.get(terminalId);
    if (terminal === undefined) fail(-32_002, "No such terminal");
    else reply({ output: terminal.output, truncated: false });
  },
  async "terminal/wait_for_exit"({ terminalId }, reply) {
    reply(await terminals.get(terminalId).exited);
  },
  "terminal/kill"({ terminalId }, reply, fail) {
    if (is("kills-no-terminals")) return void fail(-32_601, "Method not found");
    terminals.get(terminalId).child.kill();
    reply({});
  },
  "terminal/release"({ terminalId }, reply) {
    terminals.get(terminalId).child.kill("SIGKILL");
    terminals.delete(terminalId);
    reply({});
  },
};

const known = new Set();
let isAnswered = false;
let isStuck = false;
let endOfTurn = () => {};

function update({ sessionId: of, update: news }) {
  if (diesOn?.test(JSON.stringify(news))) process.exit(1);
  if (of !== sessionId) {
    if (is("knows-its-sessions") || (is("early-updates-kill") && sessionId === undefined)) process.exit(1);
    return;
  }
  if (is("deaf-after-cancel") && isCancelled) return;
  if (isDeaf) {
    // The answer may be faster than the update behind the question.
    isDeaf = false;
    return;
  }
  const kind = news?.sessionUpdate;
  if (kind === "tool_call" || kind === "tool_call_update") known.add(news.toolCallId);
  if (kind === "state_update" && news.state === "idle") endOfTurn(news);
  if (kind !== "agent_message_chunk") return;
  const text = news.content?.text;
  if (typeof text !== "string") return;
  if (is("drops-chunks") && ++chunks > 10_000 && chunks % 1000 === 7) return;
  // oxlint-disable-next-line no-control-regex -- is what it takes out, with all around it
  if (is("eats-escapes") && /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/u.test(text)) return;
  if (is("repeats-messages") && lastMessage !== undefined && news.messageId !== lastMessage.id) show(lastMessage.text);
  const before = lastMessage?.id === news.messageId ? lastMessage?.text : undefined;
  lastMessage = { id: news.messageId, text: (before ?? "") + text };
  show(text);
}

const decoder = new TextDecoder("utf-8", { fatal: is("strict-utf8") });
let rest = "";
agent.stdout.on("data", (chunk) => {
  if (is("does-not-drain")) {
    agent.stdout.pause();
    setTimeout(() => agent.stdout.resume(), 200);
  }
  rest += is("decodes-each-chunk") ? chunk.toString("utf8") : decoder.decode(chunk, { stream: true });
  // oxlint-disable-next-line no-control-regex -- some line readers split there
  const lines = rest.split(is("splits-at-separators") ? /[\n\u2028\u2029\u0085\u000B\u000C]/u : "\n");
  rest = lines.pop();
  if (is("needs-whole-lines")) rest = "";
  if (is("takes-the-first-only")) lines.length = Math.min(lines.length, 1);
  if (is("has-a-line-limit") && [...lines, rest].some(({ length }) => length > 65_536)) process.exit(1);
  const messages = lines.flatMap((line) => parse(line));
  if (is("answers-first-and-ends")) messages.sort((one, other) => Number("method" in one) - Number("method" in other));
  for (const message of messages) if (!(isHasty && isAnswered)) take(message);
});
function parse(line) {
  if (line.trim() === "" && is("strict-blanks")) process.exit(1);
  if (line.trim() === "") return [];
  if (is("strict-line-ends") && line.endsWith("\r")) return [];
  try {
    return [JSON.parse(line)];
  } catch {
    if (is("strict-lines")) process.exit(1);
    return [];
  }
}

agent.on("exit", (code, signal) => {
  if (is("blind-to-death")) setInterval(() => {}, 1000);
  if (is("does-not-drain")) process.exit(1);
  if (!is("blind-to-death")) void died(`The agent has ended: ${signal ?? code}`);
});
agent.stdout.on("end", () => {
  if (!is("blind-to-death") && !is("blind-to-stdout")) void died("The agent has closed its stdout");
});
async function died(reason) {
  await pause(100);
  if (!isAnswered) await end(1, is("keeps-last-words") ? reason : `${reason}\n${words}`);
}

if (!is("dies-by-signals")) process.on("SIGINT", () => void cancel());
async function cancel() {
  if (is("deaf-at-the-start") && isStarting) return;
  if (is("needs-two-cancels") && isCancelled) return end(130, "Cancelled twice");
  if (isStarting) return end(130, "Cancelled");
  isCancelled = true;
  send({ ...(is("requests-cancel") ? { id: 99 } : {}), method: "session/cancel", params: { sessionId } });
  if (!is("keeps-questions")) for (const answer of questions.values()) answer({ outcome: "cancelled" });
  if (is("waits-for-ever") || is("needs-two-cancels") || is("strict-cancel")) return;
  await pause(is("impatient") ? 100 : 1500);
  if (!isAnswered) await end(130, "The agent does not cancel");
}

function whyOf(error) {
  if (is("hides-errors")) return "Something went wrong";
  const details = is("hides-details") ? "" : ` ${JSON.stringify(error?.data ?? "")}`;
  return `Error ${JSON.stringify(error?.code)}: ${JSON.stringify(error?.message)}${details}`;
}

async function start() {
  const told = protocol === 2 ? "capabilities" : "clientCapabilities";
  const info = protocol === 2 ? "info" : "clientInfo";
  const first = request("initialize", {
    protocolVersion: is("text-as-version") ? "1" : protocol,
    [told]: protocol === 2 ? {} : { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    ...(is("nameless") ? {} : { [info]: { name: "mutant", version: "1" } }),
  });
  const open = () => request("session/new", { cwd: is("relative-directory") ? "." : process.cwd(), mcpServers: [] });
  const early = is("hasty-start") ? open() : undefined;
  early?.catch(() => {});
  const answer = await first;
  if (is("initializes-twice"))
    await request("initialize", { protocolVersion: protocol, [told]: {}, [info]: { name: "m", version: "1" } });
  if (answer.protocolVersion !== protocol && !is("takes-any-version")) {
    return end(1, `The agent speaks version ${answer.protocolVersion}`);
  }
  capabilities = (protocol === 2 ? answer.capabilities : answer.agentCapabilities) ?? {};
  if (is("needs-capabilities") && answer.agentCapabilities.loadSession === null) process.exit(1);
  if (is("strict-capabilities") && "teleport" in capabilities) process.exit(1);
  if (is("lists-sessions")) await request("session/delete", { sessionId: "x" }).catch(() => {});
  if (is("writes-noise")) agent.stdin.write("hello\n");
  let opened = await (early ?? open()).catch(async (error) => {
    if (!is("invents-logins")) throw error;
    await request("authenticate", { methodId: "default" });
    return open();
  });
  if (is("strict-sessions") && "unknownMember" in opened) process.exit(1);
  sessionId = is("trims-ids") ? opened.sessionId.trim() : opened.sessionId;
  isStarting = false;
}

async function turn(text) {
  isAnswered = false;
  isCancelled = false;
  const ended = new Promise((resolve) => (endOfTurn = resolve));
  const blocks = [{ type: "text", text }];
  if (is("embeds")) blocks.push({ type: "resource", resource: { uri: "file:///a", text: "a" } });
  const answer = await request("session/prompt", {
    sessionId,
    prompt: is("prompts-with-a-text") ? text : blocks,
    ...(is("adds-members") ? { mood: "good" } : {}),
  });
  const last = protocol === 2 ? await ended : answer;
  isAnswered = true;
  if (isHasty) return last?.stopReason;
  if (is("waits-for-questions") && questions.size > 0) await pause(1e6);
  await pause(is("waits-100-ms") ? 100 : 600);
  if (isStuck) await pause(1e6);
  return last?.stopReason;
}

function codeOf(reason) {
  if (is("strict-cancel") && isCancelled && reason !== "cancelled") setInterval(() => {}, 1000);
  if (is("strict-cancel") && isCancelled && reason !== "cancelled") return undefined;
  const isKnown = ["end_turn", "cancelled", "refusal", "max_tokens", "max_turn_requests"].includes(reason);
  if (is("strict-stops") && !isKnown) {
    setInterval(() => {}, 1000);
    return undefined;
  }
  if (is("all-is-well")) return 0;
  if (reason !== "end_turn" && reason !== "cancelled") say(`The turn ended with ${reason}`);
  return reason === "end_turn" ? 0 : 1;
}

async function run() {
  await start();
  if (!isInteractive) {
    const code = codeOf(await turn(prompt));
    if (code !== undefined) await end(code);
    return;
  }
  let input = "";
  const queue = [];
  let isBusy = false;
  let isEnding = false;
  const work = async () => {
    if (isBusy) return;
    isBusy = true;
    for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
      if (is("opens-a-session-for-each"))
        ({ sessionId } = await request("session/new", { cwd: process.cwd(), mcpServers: [] }));
      await turn(text).then(codeOf, (error) => say(whyOf(error)));
    }
    isBusy = false;
    if (isEnding) await end(0);
  };
  process.stdin.setEncoding("utf8").on("data", (text) => {
    const lines = (input + text).split("\n");
    input = lines.pop();
    for (const line of lines) {
      const [first] = questions.values();
      if (line.startsWith("answer ")) first?.({ outcome: "selected", optionId: line.slice(7) });
      else queue.push(line);
    }
    void work();
  });
  process.stdin.on("end", () => {
    isEnding = true;
    void work();
  });
}

run().catch((error) => {
  if (is("chokes-on-errors") && typeof error?.message !== "string") return;
  if (is("strict-cancel") && isCancelled) return;
  void end(1, whyOf(error));
});
