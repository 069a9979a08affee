import { isObject, readMember } from "../../base/values.ts";
import { requireObject } from "../../base/require-argument.ts";

/** What came out of a tool call. */
export interface ToolCallOutput {
  /**
   * The text of `rawOutput`, if the content has nothing to show. `undefined`: show the content, if there is any. It comes from
   * a program: make it safe for where you show it.
   */
  readonly text: string | undefined;
  /** How the command has ended, as far as `rawOutput` says it; the exit of a terminal counts more. */
  readonly exit: { readonly exitCode?: number; readonly signal?: string } | undefined;
  /** Whether `rawOutput` says that the tool has failed. Many agents report such a call as `completed`: it did what they wanted. */
  readonly hasFailed: boolean;
}

/** Options of {@link describeOutput}. */
export interface DescribeOutputOptions {
  /**
   * Whether a terminal of this id has something to show. Some agents name terminals that nobody has made, and some send no
   * output for a terminal of their own, but all of it in `rawOutput` at the end: answer no for one without output when the
   * call is over. Default: every terminal has something to show.
   */
  readonly hasTerminal?: ((terminalId: string) => boolean) | undefined;
}

interface AnyCall {
  readonly content: Iterable<object>;
  readonly rawOutput?: unknown;
}

/**
 * What came out of a tool call that has no content to show: agents may put their result into `rawOutput` alone. Texts are
 * found under the names that many agents use; anything else becomes JSON.
 *
 * ```ts
 * const { text, exit } = describeOutput(call);
 * ```
 */
export function describeOutput(call: AnyCall, options?: DescribeOutputOptions): ToolCallOutput {
  const hasTerminal = options?.hasTerminal ?? ((): boolean => true);
  requireObject(readMember(call, "content"), "describeOutput() takes a tool call", Symbol.iterator);
  const { content, rawOutput } = call;
  let text: string | undefined;
  if (!Array.from(content).some((item) => isShown(item, hasTerminal))) {
    text = textOf(rawOutput);
    if (text === undefined && isObject(rawOutput) && Object.keys(rawOutput).length > 0) {
      text = JSON.stringify(rawOutput, undefined, 2);
    }
  }
  const exit = exitOf(rawOutput);
  return { text: text === "" ? undefined : text, exit, hasFailed: isBad(exit) || saysFailure(rawOutput) };
}

function isShown(item: object, hasTerminal: (terminalId: string) => boolean): boolean {
  const { type, content, terminalId } = item as Readonly<Record<string, unknown>>;
  if (type === "terminal") return typeof terminalId === "string" && hasTerminal(terminalId);
  return type !== "content" || !isObject(content) || content["type"] !== "text" || content["text"] !== "";
}

/** Names of texts: of each group, the first that is there counts. All groups count. */
const textNames = [
  ["formatted_output", "aggregated_output", "aggregatedOutput", "output", "stdout", "text", "result", "content"],
  ["stderr"],
  ["error", "message"],
];

/** The text in the output of a tool; `undefined` if there is nothing that looks like one. */
function textOf(raw: unknown, depth = 0): string | undefined {
  if (typeof raw === "string") return raw;
  if (typeof raw === "number" || typeof raw === "boolean" || typeof raw === "bigint") return String(raw);
  if (!isObject(raw) || depth > 4) return undefined;
  if (Array.isArray(raw)) {
    const texts = raw.map((item) => textOf(item, depth + 1));
    return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join("\n") : undefined;
  }
  const isWhole = ["formatted_output", "aggregated_output", "aggregatedOutput"].some((name) => raw[name]);
  const parts: string[] = [];
  for (const names of isWhole ? textNames.slice(0, 1) : textNames) {
    const name = names.find((one) => raw[one] !== undefined && raw[one] !== null && raw[one] !== "");
    const text = name === undefined ? undefined : textOf(raw[name], depth + 1);
    if (text !== undefined && text !== "") parts.push(text);
  }
  if (parts.length > 0) return parts.join("\n");
  // Whatever else it says: a command that has printed nothing has an exit code.
  return textNames.flat().some((name) => raw[name] === "") ? "" : undefined;
}

const exitNames = ["exitCode", "exit_code", "exit", "exit_status", "returnCode", "returncode", "return_code"];
/** Where agents put what their command has said of its end. */
const exitGroups = ["metadata", "exitStatus", "exit_status", "result"];

function exitOf(raw: unknown, depth = 0): ToolCallOutput["exit"] {
  if (!isObject(raw)) return undefined;
  const code = exitNames.map((name) => toCode(raw[name])).find((value) => value !== undefined);
  const signal = typeof raw["signal"] === "string" && raw["signal"] !== "" ? { signal: raw["signal"] } : {};
  if (code !== undefined) return { exitCode: code, ...signal };
  if ("signal" in signal) return signal;
  return depth === 0 ? exitGroups.map((name) => exitOf(raw[name], 1)).find((exit) => exit !== undefined) : undefined;
}

function toCode(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?\d{1,10}$/u.test(value) ? Number(value) : undefined;
}

function isBad(exit: ToolCallOutput["exit"]): boolean {
  return exit?.signal !== undefined || (exit?.exitCode ?? 0) !== 0;
}

/** MCP's `isError`, and what other tools say in its place. */
function saysFailure(raw: unknown, depth = 0): boolean {
  if (!isObject(raw)) return false;
  if (["isError", "is_error", "timedOut", "timed_out"].some((name) => raw[name] === true)) return true;
  if (["success", "ok"].some((name) => raw[name] === false)) return true;
  return depth === 0 && ["metadata", "result"].some((name) => saysFailure(raw[name], 1));
}
