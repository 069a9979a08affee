import type { AgentScript } from "../agent/agent-options.ts";
import { endOf } from "../client/client-words.ts";
import { at, isAnswer, isCall, isRequest, type Message, textAt } from "../peer/message.ts";
import { end, fail, reply, type Step, waitFor } from "../script/steps.ts";
import { readEntries, type RecordedEntry, type Recording } from "./recorded-prompts.ts";

/** Options of {@link recordedScript}. */
export interface RecordedScriptOptions {
  /** Whether the agent takes as long as it took. Default: `false`. */
  readonly delays?: boolean | undefined;
}

/**
 * Makes a script of what the agent said in a recording: pass it to `fakeAgent`, or write it to a file for `acp fake-agent`. Each
 * prompt plays what followed the prompt in its place; a further one fails. The script waits where the agent waited for an
 * answer or a cancel. What else the client sends does not matter.
 *
 * Ids that the client made, such as those of terminals, are those of the recording. `createReplayTransport` of `@acp/record`
 * translates them.
 *
 * @throws {UsageError} for what is no recording of a connection from its beginning.
 */
export function recordedScript(recording: Recording, options: RecordedScriptOptions = {}): AgentScript {
  return new ScriptWriter(readEntries(recording), options?.delays === true).write();
}

type Members = Readonly<Record<string, unknown>>;

/** What a request of the client began. */
interface Part {
  readonly method: string;
  readonly sessionId: string | undefined;
  readonly steps: Step[];
}

class ScriptWriter {
  readonly #entries: readonly RecordedEntry[];
  readonly #hasDelays: boolean;
  readonly #turns: Part[] = [];
  readonly #answers: Record<string, Members | readonly Step[]> = {};
  /** Requests of the client, by their ids in JSON. */
  readonly #parts = new Map<string, Part>();
  /** Requests that the agent went on without, by their ids. */
  readonly #open = new Map<unknown, string>();
  /** The names of sessions in the script, by those of the recording. */
  readonly #sessions = new Map<string, string>();
  readonly #opened: Step[] = [];
  #protocol: 1 | 2 = 1;
  #initialize: Members = {};
  #session: Members = {};
  #current: Part = { method: "", sessionId: undefined, steps: [] };
  #isCancelled = false;

  constructor(entries: readonly RecordedEntry[], hasDelays: boolean) {
    this.#entries = entries;
    this.#hasDelays = hasDelays;
  }

  write(): AgentScript {
    for (const [index, entry] of this.#entries.entries()) {
      if (entry.from === "client") this.#ofClient(entry.message);
      else this.#ofAgent(entry, index);
    }
    const surplus = [fail("The recording has no further prompt")];
    return {
      protocol: this.#protocol,
      initialize: this.#initialize,
      session: this.#session,
      opened: this.#opened,
      answers: this.#answers,
      ...(this.#isCancelled ? { onCancel: "ignore" } : {}),
      prompts: [...this.#turns.map(({ steps }) => steps), surplus],
    };
  }

  #ofClient(message: Message): void {
    const sessionId = textAt(message, "params", "sessionId");
    if (isRequest(message)) {
      const part = { method: message.method ?? "", sessionId, steps: [] };
      this.#parts.set(JSON.stringify(message.id), part);
      if (part.method === "session/prompt") this.#turns.push(part);
      // Short calls during a turn do not take what follows.
      if (part.method === "session/prompt" || /^session\/(?:load|resume)$/u.test(part.method)) this.#current = part;
    } else if (isCall(message, "session/cancel")) {
      this.#isCancelled = true;
      this.#partOf(sessionId).steps.push(waitFor("session/cancel"));
    } else {
      const method = this.#open.get(message.id);
      if (method !== undefined) this.#current.steps.push(waitFor(method));
      this.#open.delete(message.id);
    }
  }

  #ofAgent({ message, gap }: RecordedEntry, index: number): void {
    const after = this.#hasDelays && gap > 0 ? { after: gap } : {};
    if (!isCall(message)) return this.#answer(message, after);
    const { steps, sessionId: own } = this.#partOf(textAt(message, "params", "sessionId"));
    const { sessionId, ...params } = { sessionId: undefined, ...(message.params as Members | undefined) };
    const other = typeof sessionId === "string" && sessionId !== own && own !== undefined;
    const session = other ? { sessionId: this.#sessions.get(sessionId) ?? sessionId } : {};
    const method = message.method ?? "";
    if (isRequest(message)) {
      const unanswered = this.#goesOn(message.id, index) ? { unanswered: true } : {};
      if (unanswered.unanswered) this.#open.set(message.id, method);
      steps.push({ request: method, params: { ...session, ...params }, ...unanswered, ...after });
    } else if (method === "session/update") this.#update(steps, at(params, "update"), { ...session, ...after });
    else steps.push({ notify: method, params: message.params, ...after });
  }

  #update(steps: Step[], update: unknown, more: object): void {
    const isState = this.#protocol === 2 && textAt(update, "sessionUpdate") === "state_update";
    // The script's turn begins with this itself.
    if (isState && steps.length === 0 && textAt(update, "state") === "running") return;
    if (isState && endOf(update) !== undefined && textAt(update, "stopReason") !== undefined) {
      const { sessionUpdate: _, state: __, stopReason, ...rest } = update as Members;
      steps.push({
        ...end(String(stopReason)),
        ...(Object.keys(rest).length === 0 ? {} : { more: rest }),
        ...more,
      });
    } else steps.push({ update: update as Members, ...more });
  }

  #answer({ id, result, error }: Message, after: object): void {
    const part = this.#parts.get(JSON.stringify(id));
    if (part === undefined) return;
    const { method, steps } = part;
    const members: Members = typeof result === "object" && result !== null ? (result as Members) : {};
    if (error !== undefined) steps.push({ fail: error as { code: number; message: string }, ...after });
    if (method === "session/prompt") {
      if (error !== undefined || this.#protocol === 2) return;
      const { stopReason, ...more } = members;
      steps.push({ ...end(String(stopReason)), ...(Object.keys(more).length === 0 ? {} : { more }), ...after });
    } else if (error !== undefined) this.#answers[method] ??= steps;
    else if (method === "initialize") {
      const { protocolVersion, ...rest } = members;
      this.#protocol = protocolVersion === 2 ? 2 : 1;
      this.#initialize = rest;
    } else if (method === "session/new") this.#openSession(members);
    else if (steps.length === 0 && this.#current !== part) this.#answers[method] ??= members;
    else {
      steps.push(reply(members, after));
      this.#answers[method] ??= steps;
    }
  }

  /** The first session decides what all of them have. */
  #openSession({ sessionId, ...members }: Members): void {
    const isFirst = this.#sessions.size === 0;
    this.#sessions.set(String(sessionId), `session-${this.#sessions.size + 1}`);
    if (isFirst) this.#session = members;
    this.#current = { method: "session/new", sessionId: String(sessionId), steps: isFirst ? this.#opened : [] };
  }

  /** Whether the agent sends something before the client answers. */
  #goesOn(id: unknown, index: number): boolean {
    const later = this.#entries.slice(index + 1);
    const answer = later.findIndex(({ from, message }) => from === "client" && isAnswer(message, id));
    const next = later.findIndex(({ from }) => from === "agent");
    return next >= 0 && (answer < 0 || next < answer);
  }

  /** What a message of this session belongs to: the last turn of the session, else what was asked last. */
  #partOf(sessionId: string | undefined): Part {
    return this.#current.sessionId === sessionId
      ? this.#current
      : (this.#turns.findLast((turn) => turn.sessionId === sessionId) ?? this.#current);
  }
}
