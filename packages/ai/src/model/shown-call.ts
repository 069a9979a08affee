import { describeOutput } from "@acp/core/state";
import { isObject, textIn } from "../values.ts";
import type { StreamPart } from "./model-types.ts";
import type { Exit, Terminals } from "./terminals.ts";

/** The change of a file, as a tool call shows it. */
export interface AgentDiff {
  /** Absolute. */
  readonly path: string;
  /** The text before; `null` for a new file, and if the agent has sent a patch alone. */
  readonly oldText: string | null;
  /** The text after; `null` if the agent has sent a patch alone, or has deleted the file. */
  readonly newText: string | null;
  /** The change as `git diff` writes it, if the agent has sent it. */
  readonly patch?: string;
}

const longestName = 64;
const growth = 17 / 16;

/** A tool call of an agent. */
export class ShownCall {
  readonly id: string;
  isOver = false;
  /** The name of the tool, once it was announced. */
  #name: string | undefined;
  #title = "";
  #ownName: string | undefined;
  #kind: string | undefined;
  #input: unknown;
  #output: unknown;
  #content: readonly unknown[] = [];
  #terminalId: string | undefined;
  /** How long the output has to be to be shown again. */
  #next = 1;
  #shown = "";

  constructor(id: string) {
    this.id = id;
  }

  /** Whether it shows a terminal. */
  shows(terminalId: string): boolean {
    return terminalId === this.#terminalId || this.#content.some((item) => textIn(item, "terminalId") === terminalId);
  }

  change(update: Readonly<Record<string, unknown>>, terminalId: string | undefined): void {
    this.#terminalId = terminalId ?? this.#terminalId;
    this.#title = textIn(update, "title") ?? this.#title;
    this.#ownName = textIn(update, "name") ?? nameInMeta(update["_meta"]) ?? this.#ownName;
    this.#kind = textIn(update, "kind") ?? this.#kind;
    if (update["rawInput"] != null) this.#input = update["rawInput"];
    if (update["rawOutput"] != null) this.#output = update["rawOutput"];
    if (Array.isArray(update["content"])) this.#content = update["content"];
  }

  append(content: unknown): void {
    this.#content = [...this.#content, content];
  }

  /** Its name and input, once. */
  announce(): StreamPart[] {
    if (this.#name !== undefined) return [];
    const title = this.#title.split("\n", 1)[0]?.trim() ?? "";
    this.#name = this.#ownName ?? (shorten(title) || (this.#kind ?? "tool"));
    const { id } = this;
    const how = { toolName: this.#name, providerExecuted: true, dynamic: true };
    const input = JSON.stringify(isObject(this.#input) ? this.#input : { title: this.#title });
    const acp = toJson({ title: this.#title, kind: this.#kind });
    return [
      { type: "tool-input-start", id, title: this.#title, ...how },
      { type: "tool-input-delta", id, delta: input },
      { type: "tool-input-end", id },
      { type: "tool-call", toolCallId: id, input, ...how, providerMetadata: { acp } },
    ];
  }

  /** Whether it is the agent's own view of a call of this tool. */
  isOf(toolName: string): boolean {
    return [this.#ownName, this.#title].some((text) => text?.includes(toolName) === true);
  }

  /** Ends it here, since a call of the model has to have the results of all calls in it. What comes later is of the copy. */
  pause(terminals: Terminals): { readonly parts: StreamPart[]; readonly rest: ShownCall } {
    if (this.#name === undefined) return { parts: [], rest: this };
    this.isOver = true;
    const rest = new ShownCall(`${this.id}+`);
    rest.#title = this.#title;
    rest.#ownName = this.#ownName;
    rest.#kind = this.#kind;
    rest.#input = this.#input;
    rest.#output = this.#output;
    rest.#content = this.#content;
    rest.#terminalId = this.#terminalId;
    return { parts: [this.#result(this.#text(terminals), {})], rest };
  }

  /** What it shows while it runs, if that has grown. */
  progress(terminals: Terminals): StreamPart[] {
    const text = this.#text(terminals);
    if (this.#name === undefined || this.isOver || text === this.#shown || text.length < this.#next) return [];
    this.#next = Math.ceil(text.length * growth);
    this.#shown = text;
    return [this.#result(text, { preliminary: true })];
  }

  finish(status: string, terminals: Terminals): StreamPart {
    this.isOver = true;
    const exit = this.#exit(terminals);
    const isError = status !== "completed" || (exit?.exitCode ?? 0) !== 0 || exit?.signal !== undefined;
    const text = this.#text(terminals);
    const why = isError ? describeFailure(status, exit) : "";
    const result = [text.trimEnd(), why].filter((part) => part !== "").join("\n");
    const acp = toJson({ title: this.#title, kind: this.#kind, status, ...exit, diffs: this.#diffs() });
    return this.#result(isError ? result : text, { isError, providerMetadata: { acp } });
  }

  #result(
    result: string,
    more: Pick<Extract<StreamPart, { type: "tool-result" }>, "isError" | "preliminary" | "providerMetadata">,
  ): StreamPart {
    return { type: "tool-result", toolCallId: this.id, toolName: this.#name ?? "tool", result, dynamic: true, ...more };
  }

  /** What it shows, as a text. */
  #text(terminals: Terminals): string {
    const named = this.#content.some((item) => textIn(item, "type") === "terminal");
    const terminal = this.#terminalId === undefined || named ? [] : [terminals.text(this.#terminalId)];
    const texts = [...this.#content.map((item) => textOf(item, terminals)), ...terminal];
    const text = texts.filter((part) => part !== "").join("\n");
    if (text !== "") return text;
    return describeOutput({ content: [], rawOutput: this.#output }).text ?? "";
  }

  #exit(terminals: Terminals): Exit | undefined {
    const ids = [this.#terminalId, ...this.#content.map((item) => textIn(item, "terminalId"))];
    const exits = ids.flatMap((id) => (id === undefined ? [] : [terminals.exit(id)]));
    const own = exits.find((exit) => exit !== undefined);
    return own ?? describeOutput({ content: [], rawOutput: this.#output }).exit;
  }

  #diffs(): AgentDiff[] {
    return this.#content.flatMap((item) => (isObject(item) && item["type"] === "diff" ? readDiff(item) : []));
  }
}

function describeFailure(status: string, { exitCode, signal }: Exit = {}): string {
  if (exitCode !== undefined && exitCode !== 0) return `Exit code ${exitCode}`;
  if (signal !== undefined) return `Ended by ${signal}`;
  return status === "cancelled" ? "Cancelled" : status === "failed" ? "Failed" : "";
}

function textOf(item: unknown, terminals: Terminals): string {
  if (!isObject(item)) return "";
  if (item["type"] === "terminal") return terminals.text(textIn(item, "terminalId") ?? "");
  if (item["type"] === "diff")
    return readDiff(item)
      .map(({ path }) => `Changed ${path}`)
      .join("\n");
  // A chunk of version 2 is the block itself.
  const block = item["type"] === "content" ? item["content"] : item;
  const resource = isObject(block) ? block["resource"] : undefined;
  return textIn(block, "text") ?? textIn(resource, "text") ?? textIn(block, "uri") ?? textIn(resource, "uri") ?? "";
}

function readDiff(diff: Readonly<Record<string, unknown>>): AgentDiff[] {
  const path = textIn(diff, "path");
  const newText = textIn(diff, "newText") ?? null;
  if (path !== undefined) return [{ path, oldText: textIn(diff, "oldText") ?? null, newText }];
  const patch = textIn(diff["patch"], "text");
  const changes: readonly unknown[] = Array.isArray(diff["changes"]) ? diff["changes"] : [];
  return changes.flatMap((change) => {
    const changed = textIn(change, "path");
    if (changed === undefined) return [];
    return [{ path: changed, oldText: null, newText: null, ...(patch === undefined ? {} : { patch }) }];
  });
}

/** The name that Claude Code's adapter sends. */
function nameInMeta(meta: unknown): string | undefined {
  return isObject(meta) ? textIn(meta["claudeCode"], "toolName") : undefined;
}

function shorten(title: string): string {
  return title.length > longestName ? `${title.slice(0, longestName).replace(/[\uD800-\uDBFF]$/u, "")}…` : title;
}

type Json = NonNullable<Extract<StreamPart, { type: "tool-result" }>["providerMetadata"]>[string];

function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
