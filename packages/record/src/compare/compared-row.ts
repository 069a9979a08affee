import type { RecordedMessage } from "../record-transport.ts";
import { anonymous } from "./anonymous.ts";
import { membersOf } from "./members.ts";

/** A message of a recording, or the chunks of one text. */
export interface Row {
  /** The place in the recording of the (first) message. */
  readonly index: number;
  /** How many messages it is. */
  count: number;
  readonly from: "agent" | "client";
  /** The number of its session in the recording, from 1; 0 for none. */
  readonly session: number;
  /** The number of its turn in the session, from 1; 0 for none. */
  readonly turn: number;
  /** Its method and the kind of its update; for an answer that of its request, if that is known. */
  readonly kind: string;
  /** The title of its tool call. */
  readonly title: string;
  /** Whether the text below is one that came in chunks. */
  readonly isText: boolean;
  /** What it says, without ids and times. */
  body: unknown;
  /** For an answer: how long it took, in milliseconds. */
  readonly took: number | undefined;
}

interface Request {
  readonly method: string;
  readonly session: string | undefined;
  readonly time: number;
}

/** Reads the rows of a recording; those of one side if it is named. */
export function rowsOf(recording: readonly RecordedMessage[], side: Row["from"] | undefined): Row[] {
  const opening = recording.find(({ message }) => isOpening(membersOf(message)["method"]));
  // Without one it is what an agent has said.
  const ofClient = opening?.direction ?? "sent";
  const reader = new RowReader();
  for (const [index, { direction, message, time }] of recording.entries()) {
    const from = direction === ofClient ? "client" : "agent";
    if (side === undefined || side === from) reader.add(index, from, message, Date.parse(time));
  }
  return reader.rows;
}

class RowReader {
  readonly rows: Row[] = [];
  readonly #requests = new Map<string, Request>();
  readonly #sessions = new Map<string, number>();
  readonly #turns = new Map<string, number>();
  readonly #titles = new Map<string, string>();
  /** The last row of each session and side: a chunk goes on in it, whatever other sessions say in between. */
  readonly #last = new Map<string, Row>();

  add(index: number, from: Row["from"], message: unknown, time: number): void {
    const { method, id, params, result, error } = membersOf(message);
    const isCall = typeof method === "string";
    const request = isCall ? undefined : this.#requests.get(keyOf(other(from), id));
    const session = isCall ? sessionIn(params) : (request?.session ?? sessionIn(result));
    if (isCall && id !== undefined) this.#requests.set(keyOf(from, id), { method, session, time });
    const number = session === undefined ? 0 : numberOf(this.#sessions, session);
    if (session !== undefined && method === "session/prompt")
      this.#turns.set(session, (this.#turns.get(session) ?? 0) + 1);
    const turn = (session === undefined ? undefined : this.#turns.get(session)) ?? 0;
    const kind = kindOf(message, request?.method);
    const text = chunkOf(message);
    const last = this.#last.get(`${from} ${number}`);
    if (text !== undefined && last?.isText === true && last.kind === kind) {
      last.body = String(last.body) + text;
      last.count++;
      return;
    }
    const body = text ?? anonymous(typeof message === "string" ? message : (params ?? result ?? error));
    const took = request === undefined ? undefined : Math.max(0, time - request.time) || 0;
    const title = this.#titleOf(session, params);
    const row: Row = {
      index,
      count: 1,
      from,
      session: number,
      turn,
      kind,
      title,
      isText: text !== undefined,
      body,
      took,
    };
    this.#last.set(`${from} ${number}`, row);
    this.rows.push(row);
  }

  /** An update of a call need not repeat the title. */
  #titleOf(session: string | undefined, params: unknown): string {
    const { update, toolCall } = membersOf(params);
    const { toolCallId, title } = membersOf(update ?? toolCall);
    if (typeof toolCallId !== "string") return "";
    const key = JSON.stringify([session, toolCallId]);
    if (typeof title === "string") this.#titles.set(key, title);
    return this.#titles.get(key) ?? "";
  }
}

function kindOf(message: unknown, asked: string | undefined): string {
  if (typeof message === "string") return "no JSON";
  const { method, params, error } = membersOf(message);
  if (typeof method !== "string") {
    const answer = error === undefined ? "answer" : "error";
    return asked === undefined ? answer : `${asked} ${answer}`;
  }
  const { update, toolCall } = membersOf(params);
  const { sessionUpdate, status } = membersOf(update);
  const { kind } = membersOf(toolCall);
  return [method, sessionUpdate, status, kind].filter((word) => typeof word === "string").join(" ");
}

/** The text of a chunk; `undefined` for any other message. */
function chunkOf(message: unknown): string | undefined {
  const { sessionUpdate, content } = membersOf(membersOf(membersOf(message)["params"])["update"]);
  const { type, text } = membersOf(content);
  const isChunk = typeof sessionUpdate === "string" && sessionUpdate.endsWith("_chunk") && type === "text";
  return isChunk && typeof text === "string" ? text : undefined;
}

function isOpening(method: unknown): boolean {
  return method === "initialize" || method === "proxy/initialize";
}

function sessionIn(value: unknown): string | undefined {
  const { sessionId } = membersOf(value);
  return typeof sessionId === "string" ? sessionId : undefined;
}

function numberOf(known: Map<string, number>, key: string): number {
  const number = known.get(key) ?? known.size + 1;
  known.set(key, number);
  return number;
}

function keyOf(from: Row["from"], id: unknown): string {
  return `${from} ${typeof id === "object" && id !== null ? "" : JSON.stringify(id)}`;
}

function other(side: Row["from"]): Row["from"] {
  return side === "agent" ? "client" : "agent";
}
