/**
 * An agent that speaks raw lines of JSON and does in a turn just what the prompt's text says: a JSON
 * array of steps. What stands in one step is written in one piece.
 */
import { sleep } from "../check.ts";
import { process } from "../platform.ts";

/** `updates`: that many text chunks; `answer`: the prompt's answer; `send`: any messages; `await`: until one arrives. */
export interface Step {
  readonly updates?: number;
  readonly kind?: string;
  readonly send?: readonly object[];
  readonly answer?: string;
  /** Leaves out the newline behind the last message of the step. */
  readonly open?: true;
  readonly await?: string;
  readonly sleep?: number;
  readonly exit?: number;
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly prompt?: readonly { readonly text?: string }[] };
}

const arrived: Message[] = [];
const waiting: { method: string; go: () => void }[] = [];
let sessions = 0;
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text: string) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) receive(JSON.parse(line) as Message);
});

function receive(message: Message): void {
  const { id, method, params } = message;
  if (method === "initialize") void write([{ id, result: { protocolVersion: 1 } }]);
  else if (method === "session/new") void write([{ id, result: { sessionId: `session-${++sessions}` } }]);
  else if (method === "session/prompt") void play(id, params?.sessionId ?? "", steps(params?.prompt?.[0]?.text));
  else arrived.push(message);
  const index = waiting.findIndex((entry) => entry.method === (method ?? "an answer"));
  if (index >= 0) waiting.splice(index, 1)[0]?.go();
}

function steps(text: string | undefined): readonly Step[] {
  return JSON.parse(text ?? "[]") as readonly Step[];
}

async function play(id: unknown, sessionId: string, script: readonly Step[]): Promise<void> {
  for (const step of script) {
    const messages: object[] = [];
    for (let index = 0; index < (step.updates ?? 0); index++) {
      const content = { type: "text", text: String(index) };
      const update = { sessionUpdate: step.kind ?? "agent_message_chunk", content };
      messages.push({ method: "session/update", params: { sessionId, update } });
    }
    messages.push(...(step.send ?? []));
    if (step.answer !== undefined) messages.push({ id, result: { stopReason: step.answer } });
    const written = messages.length > 0 ? write(messages, step.open) : undefined;
    if (step.sleep !== undefined) await sleep(step.sleep);
    if (step.await !== undefined) await arrival(step.await);
    if (step.exit !== undefined) {
      await written;
      process.exit(step.exit);
    }
  }
}

function arrival(method: string): Promise<void> {
  if (arrived.some((message) => (message.method ?? "an answer") === method)) return Promise.resolve();
  return new Promise((go) => waiting.push({ method, go }));
}

/** Settles once all of it is written. */
function write(messages: readonly object[], open = false): Promise<void> {
  const text = messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message })).join("\n");
  return new Promise((resolve) => process.stdout.write(open ? text : `${text}\n`, () => resolve()));
}
