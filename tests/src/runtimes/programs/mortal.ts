/**
 * An agent that speaks raw lines of JSON, and dies or hangs where its flags say. `--lives` names a file that gets a line for
 * each process; `--faults` is a list of {@link Fault}s.
 */
import { appendFileSync, readFileSync } from "node:fs";

import { argument, hasFlag } from "../command-line.ts";
import { process, sleeping } from "../platform.ts";

/** What goes wrong in which of the processes, counted from 1. */
export interface Fault {
  readonly lives: readonly number[];
  /** `start`, or a method; of a prompt its text, such as `session/prompt middle`. */
  readonly at: string;
  /** `die`: the process exits; `hang`: it neither answers nor ends any more; `refuse`: it answers with an error. */
  readonly how: "die" | "hang" | "refuse";
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: { readonly terminalId?: string };
  readonly params?: {
    readonly protocolVersion?: number;
    readonly sessionId?: string;
    readonly prompt?: readonly { readonly text?: string }[];
  };
}

const livesFile = argument("lives");
appendFileSync(livesFile, `${process.pid}\n`);
const life = readFileSync(livesFile, "utf8").trimEnd().split("\n").length;
const faults = (JSON.parse(argument("faults")) as readonly Fault[]).filter(({ lives }) => lives.includes(life));
const version = Number(argument("version"));
let hangs = false;
let sessions = 0;

if (faultAt("start") === undefined) listen();

/** Does what is to go wrong here; returns it. */
function faultAt(at: string): Fault["how"] | undefined {
  const how = faults.find((fault) => fault.at === at)?.how;
  if (how === "die") process.exit(3);
  if (how === "hang") {
    hangs = true;
    setInterval(() => {}, 60_000);
  }
  return how;
}

function listen(): void {
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) receive(JSON.parse(line) as Message);
  });
}

function receive({ id, method, params, result }: Message): void {
  if (id === "create") {
    const wait = { sessionId: `${life}-${sessions}`, terminalId: result?.terminalId };
    return send({ id: "wait", method: "terminal/wait_for_exit", params: wait }, () => faultAt("waiting"));
  }
  const text = params?.prompt?.[0]?.text;
  const how = hangs ? "hang" : faultAt(text === undefined ? String(method) : `${method} ${text}`);
  if (how === "hang") return;
  if (how === "refuse") return send({ id, error: { code: -32603, message: "not today" } });
  if (method === "initialize") send({ id, result: initialized() });
  else if (method === "session/new") send({ id, result: { sessionId: `${life}-${++sessions}` } });
  else if (method === "session/prompt") prompt(id, params?.sessionId ?? "", text ?? "");
  else if (id !== undefined) send({ id, result: {} });
}

function initialized(): object {
  const info = { name: "mortal", version: "1" };
  if (version === 2) return { protocolVersion: 2, info, capabilities: { session: {} } };
  const agentCapabilities = {
    loadSession: hasFlag("loads"),
    sessionCapabilities: { close: {}, ...(hasFlag("resumes") && { resume: {} }) },
  };
  return { protocolVersion: 1, agentInfo: info, agentCapabilities };
}

function prompt(id: unknown, sessionId: string, text: string): void {
  const content = { type: "text", text: `life ${life}` };
  const update = { sessionUpdate: "agent_message_chunk", messageId: "m", content };
  send({ method: "session/update", params: { sessionId, update } }, () => faultAt(`after ${text}`));
  if (text === "ask") {
    const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
    const question = { sessionId, toolCall: { toolCallId: "c" }, options };
    send({ id: "question", method: "session/request_permission", params: question }, () => faultAt("asking"));
  } else if (text === "run") {
    send({ id: "create", method: "terminal/create", params: { sessionId, ...sleeping } });
  } else if (text === "Hello") send({ id, result: { stopReason: "end_turn" } });
}

function send(message: object, written: () => void = () => {}): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`, written);
}
