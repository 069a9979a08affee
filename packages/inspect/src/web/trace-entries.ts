import { createRedactor } from "@acp/record";

import { type InspectedMessage, membersOf, otherSide, type Side } from "../inspected.ts";
import { textChunkIn } from "../log/text-run.ts";
import { sizesOnly } from "./sizes-only.ts";
import type { TraceEntry } from "./trace-index.ts";

/** How long the title of a tool call may be, in UTF-16 code units. */
const longestTitle = 120;
/** How many requests may wait for their answers: a peer may send requests without end. */
const mostOpen = 100_000;

/** What a trace contains. */
export interface TraceContent {
  /** Keeps passwords and tokens. Default: `false` */
  readonly withSecrets?: boolean | undefined;
  /** Replaces each text by its length. Default: `false` */
  readonly withoutText?: boolean | undefined;
}

interface Request {
  readonly index: number;
  readonly method: string;
  readonly session: string | undefined;
  readonly turn: number | undefined;
}

/** Makes entries of a trace from the messages of one connection, in order. */
export class TraceEntries {
  readonly #redact: (message: unknown) => unknown;
  readonly #shorten: (message: unknown) => unknown;
  readonly #requests = new Map<string, Request>();
  /** The turn of each session that has one. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  #count = 0;
  #run: { readonly key: string; readonly from: Side } | undefined;

  constructor({ withSecrets = false, withoutText = false }: TraceContent = {}) {
    const redactor = createRedactor();
    this.#redact = withSecrets
      ? (message) => message
      : (message) => (typeof message === "string" ? redactor.line("text", message) : redactor.message(message));
    this.#shorten = withoutText ? sizesOnly : (message) => message;
  }

  /** Takes the next message; returns its entry, and what is left of it as JSON. */
  add(inspected: InspectedMessage, whole: unknown): { readonly entry: TraceEntry; readonly text: string } {
    const shown = this.#shorten(this.#redact(whole));
    const text = jsonOf(shown);
    const index = this.#count++;
    const { time, from, kind, findings } = inspected;
    const { method: called, params: given, id } = membersOf(shown);
    const params = membersOf(given);
    const update = membersOf(params["update"]);
    const isCall = kind === "request" || kind === "notification";
    const request = isCall ? undefined : this.#answered(inspected);
    const method = textIn(called) ?? request?.method ?? (kind === "noise" ? "no message" : "answer");
    const session = isCall ? textIn(params["sessionId"]) : (request?.session ?? sessionIn(shown));
    const turn = isCall ? this.#turnOf(inspected, session) : request?.turn;
    if (kind === "request") this.#ask(inspected, { index, method, session, turn });
    this.#endTurn(inspected, session, turn, update);
    const tool = textIn(update["toolCallId"]) ?? textIn(membersOf(params["toolCall"])["toolCallId"]);
    const title = textIn(update["title"])?.slice(0, longestTitle);
    const hasId = kind !== "notification" && kind !== "noise" && id !== undefined;
    const entry: TraceEntry = {
      time: time.getTime(),
      from,
      kind,
      name: [method, textIn(update["sessionUpdate"])].filter((word) => word !== undefined).join(" "),
      session,
      turn,
      tool,
      title: tool === undefined ? undefined : title,
      id: hasId ? jsonOf(id).slice(0, 200) : undefined,
      answers: request === undefined ? undefined : index - request.index,
      joins: this.#joins(inspected),
      size: new TextEncoder().encode(text).length,
      findings: findings.map(({ path, reason, isHint }) => ({ path, reason, isHint: isHint === true })),
    };
    return { entry, text };
  }

  #ask({ from, id }: InspectedMessage, request: Request): void {
    if (this.#requests.size < mostOpen) this.#requests.set(keyOf(from, id), request);
  }

  #answered({ from, id, kind }: InspectedMessage): Request | undefined {
    if (kind === "noise") return undefined;
    const key = keyOf(otherSide(from), id);
    const request = this.#requests.get(key);
    this.#requests.delete(key);
    return request;
  }

  /** The turn that a call belongs to: a prompt begins one. */
  #turnOf({ method, kind }: InspectedMessage, session: string | undefined): number | undefined {
    if (session === undefined) return undefined;
    if (method === "session/prompt" && kind === "request") this.#turns.set(session, ++this.#turn);
    return this.#turns.get(session);
  }

  /** An answer to a prompt ends its turn; in version 2, which answers at once, an idle session does. */
  #endTurn(
    { method, kind, body }: InspectedMessage,
    session: string | undefined,
    turn: number | undefined,
    { sessionUpdate, state }: Readonly<Record<string, unknown>>,
  ): void {
    const isAnswered =
      method === "session/prompt" && (kind === "error" || (kind === "result" && "stopReason" in membersOf(body)));
    const isIdle = sessionUpdate === "state_update" && state === "idle";
    if (session !== undefined && (isAnswered || isIdle) && this.#turns.get(session) === turn)
      this.#turns.delete(session);
  }

  #joins(inspected: InspectedMessage): boolean {
    const chunk = textChunkIn(inspected);
    const run = this.#run;
    this.#run = chunk && { key: chunk.key, from: inspected.from };
    return chunk !== undefined && run !== undefined && run.key === chunk.key && run.from === inspected.from;
  }
}

function sessionIn(message: unknown): string | undefined {
  return textIn(membersOf(membersOf(message)["result"])["sessionId"]);
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function keyOf(from: Side, id: unknown): string {
  return `${from} ${typeof id === "object" && id !== null ? "" : JSON.stringify(id)}`;
}

/** A message as JSON on one line. One that cannot be written has too many levels. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return '"[nested too deep]"';
  }
}
