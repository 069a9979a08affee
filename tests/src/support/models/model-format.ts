import type { ModelReply, ModelRequest } from "./conversation.ts";

/** An event of an answer that comes in pieces. */
export interface ServerEvent {
  /** Its name; some APIs have none. */
  readonly event?: string;
  readonly data: object | string;
}

/** How agents talk to a model: one of the public APIs, as far as agents use it. */
export interface ModelFormat {
  /** What the path of the endpoint ends with. */
  readonly path: string;
  readRequest(body: Json): ModelRequest;
  /** The answer in pieces. One that hangs has no end. */
  writeEvents(reply: ModelReply, request: ModelRequest): readonly ServerEvent[];
  /** The same at once. */
  writeWhole(reply: ModelReply, request: ModelRequest): object;
}

/** A JSON object of which nothing is known. */
export type Json = Readonly<Record<string, unknown>>;

/** A value as a JSON object; an empty one if it is none. */
export function toObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

/** A value as a list of JSON objects. */
export function toObjects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(toObject) : [];
}

/** The text of a content: it is one, or a list of blocks. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return toObjects(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("");
}

/** The names of tools, wherever their list has them. */
export function namesOf(tools: readonly Json[]): readonly string[] {
  return tools.map(({ name }) => name).filter((name) => typeof name === "string");
}
