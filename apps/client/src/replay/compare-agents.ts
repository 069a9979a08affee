import type { RecordedMessage } from "@acp/record";
import { diffArrays } from "diff";

import { membersOf } from "../text/json-text.ts";

/** How two agents differ. */
export interface AgentComparison {
  /** What to print: lines with `-` of the recording, with `+` of this run, and those around them. */
  readonly lines: readonly string[];
  /** How many lines differ. */
  readonly differences: number;
}

/** How many lines are shown around a difference. */
const context = 2;

/** How many lines of a difference are shown. */
const most = 20;

/**
 * Compares what the recorded agent said with what another one said to the same client. Chunks of a text count as one message,
 * and ids and times are no difference.
 */
export function compareAgents(
  recording: readonly RecordedMessage[],
  said: readonly RecordedMessage[],
  { onlyKinds = false }: { readonly onlyKinds?: boolean } = {},
): AgentComparison {
  const opening = recording.find(({ message }) => membersOf(message)["method"] === "initialize");
  const recorded = recording.filter(({ direction }) => direction !== opening?.direction);
  const changes = diffArrays(describe(recorded, onlyKinds), describe(said, onlyKinds));
  const lines = changes.flatMap(({ added, removed, value }, index) => {
    if (added) return shortened(value).map((line) => `+ ${line}`);
    if (removed) return shortened(value).map((line) => `- ${line}`);
    return around(value, index > 0, index < changes.length - 1).map((line) => `  ${line}`);
  });
  const differences = changes.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? value.length : 0),
    0,
  );
  return { lines: differences === 0 ? [] : lines, differences };
}

function shortened(lines: readonly string[]): readonly string[] {
  const left = lines.length - most;
  return left > 1 ? [...lines.slice(0, most), `… ${left} more`] : lines;
}

/** The first and last lines of what is the same. */
function around(lines: readonly string[], isAfter: boolean, isBefore: boolean): string[] {
  const first = isAfter ? lines.slice(0, context) : [];
  const rest = lines.slice(first.length);
  const last = isBefore ? rest.slice(-context) : [];
  const left = rest.length - last.length;
  return [...first, ...(left > 0 ? [`… ${left} the same`] : []), ...last];
}

/** A line for each message: its kind, and what it says. */
function describe(entries: readonly RecordedMessage[], onlyKinds: boolean): string[] {
  const names = new Names();
  const lines: { kind: string; text: string | undefined; body: unknown }[] = [];
  for (const { message } of entries) {
    const kind = kindOf(message);
    const chunk = chunkOf(message);
    const last = lines.at(-1);
    if (chunk !== undefined && last?.text !== undefined && last.kind === kind) last.text += chunk;
    else lines.push({ kind, text: chunk, body: chunk === undefined ? bodyOf(message) : undefined });
  }
  return lines.map(({ kind, text, body }) => {
    if (onlyKinds) return kind;
    return `${kind} ${JSON.stringify(text ?? names.apply(body))}`;
  });
}

function kindOf(message: unknown): string {
  if (typeof message === "string") return "no JSON";
  const { method, params, error } = membersOf(message);
  if (typeof method !== "string") return error === undefined ? "answer" : "error";
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

function bodyOf(message: unknown): unknown {
  const { params, result, error } = membersOf(message);
  return typeof message === "string" ? message : (params ?? result ?? error);
}

/** Replaces ids and times, which differ from run to run, by names that do not. */
class Names {
  readonly #names = new Map<string, string>();

  apply(value: unknown, key = ""): unknown {
    if (typeof value === "string") return this.#replace(value, key);
    if (Array.isArray(value)) return value.map((item) => this.apply(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.apply(member, name)]));
  }

  #replace(value: string, key: string): string {
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/u.test(value)) return "<time>";
    if (!/^(?:session|toolCall|terminal|message|request|elicitation)Id$/u.test(key)) return value;
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const name = `<${key} ${this.#names.size + 1}>`;
    this.#names.set(value, name);
    return name;
  }
}
