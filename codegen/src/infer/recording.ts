import { contentLength } from "@acp/framing";
import { reasonOf } from "../reason-of.ts";
import { isPlainObject } from "../model/schema-document.ts";

/** One side of a connection. */
export type Side = "agent" | "client";

/** One message of a recording. */
export interface Recorded {
  /** Where it stands: `recording.ndjson:12`. */
  readonly place: string;
  readonly message: { readonly [member: string]: unknown };
  /** Who sent it, or which way it went as the recorder saw it, if the recording tells. */
  readonly from: Side | "recorder" | "its peer" | undefined;
}

/** A recording, and what in it could not be read. */
export interface Recording {
  readonly messages: readonly Recorded[];
  /** Lines that are no JSON, with the reason: `recording.ndjson:12: …`. */
  readonly unreadable: readonly string[];
  /** How many entries hold text that was never a message: log lines on stdout, for example. */
  readonly noise: number;
}

/** The members under which an entry may hold its message: as JSON, or as text. */
const holders = ["message", "received", "text"];
const origins: Readonly<Record<string, Recorded["from"]>> = {
  sent: "recorder",
  received: "its peer",
  client: "client",
  agent: "agent",
};

/**
 * Reads a recording: JSON-RPC messages one a line, or in frames with a `Content-Length`; each by itself, or
 * in an entry that says which way it went (`{ "direction": "sent", "message": … }`, as `@acp/record`
 * writes it, or `{ "from": "client", … }`).
 */
export function readRecording(bytes: Uint8Array, source: string): Recording {
  const messages: Recorded[] = [];
  const unreadable: string[] = [];
  let noise = 0;
  for (const { text, place, problem } of textsOf(bytes, source)) {
    if (problem !== undefined) {
      unreadable.push(`${place}: ${problem}`);
      continue;
    }
    if (text.trim() === "") continue;
    const entry = parse(text);
    if (entry.problem !== undefined) {
      unreadable.push(`${place}: ${entry.problem}`);
      continue;
    }
    const read = readEntry(entry.value, place);
    if (read === undefined) noise++;
    else if (typeof read === "string") unreadable.push(`${place}: ${read}`);
    else if (isDeep(read.message)) unreadable.push(`${place}: it is nested more than ${deepest} levels deep`);
    else messages.push(read);
  }
  return { messages, unreadable, noise };
}

interface Text {
  readonly text: string;
  readonly place: string;
  readonly problem?: string;
}

function textsOf(bytes: Uint8Array, source: string): readonly Text[] {
  const start = new TextDecoder().decode(bytes.subarray(0, 64));
  if (!/^\s*Content-(?:Length|Type)\s*:/i.test(start)) {
    const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
    return lines.map((text, index) => ({ text, place: `${source}:${index + 1}` }));
  }
  const texts: Text[] = [];
  const place = (): string => `${source}, message ${texts.length + 1}`;
  const decoder = contentLength.createDecoder({
    message: (text) => texts.push({ text, place: place() }),
    issue: ({ message }) => texts.push({ text: "", place: place(), problem: message }),
  });
  decoder.push(bytes);
  decoder.end();
  return texts;
}

/** The message of an entry; `undefined` if it holds noise; a reason if it is no entry. */
function readEntry(entry: unknown, place: string): Recorded | undefined | string {
  if (!isPlainObject(entry)) return "expected a JSON object: a message, or an entry with a message in it";
  if (isMessage(entry)) return { place, message: entry, from: undefined };
  const holder = holders.find((name) => entry[name] !== undefined);
  if (holder === undefined) return `expected a JSON-RPC message, or an entry that has one as ${holders.join(" or ")}`;
  const held = entry[holder];
  const { value: message } = typeof held === "string" ? parse(held) : { value: held };
  if (!isPlainObject(message) || !isMessage(message)) return undefined;
  const origin = entry["direction"] ?? entry["from"];
  return { place, message, from: typeof origin === "string" ? origins[origin] : undefined };
}

function isMessage(value: { readonly [member: string]: unknown }): boolean {
  const isAnswer = "id" in value && ("result" in value || "error" in value);
  return value["jsonrpc"] === "2.0" && (typeof value["method"] === "string" || isAnswer);
}

function parse(text: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: `no JSON: ${reasonOf(error)}` };
  }
}

/** Inference goes by the call stack, and a level of a value costs it several. */
const deepest = 100;

/** Whether a value has more levels than that; found out without going down further. */
function isDeep(value: unknown, levels = deepest): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1));
}
