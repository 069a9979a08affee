import { isObject } from "../../base/values.ts";

/** What came out of a tool call. */
export interface ToolCallOutput {
  /**
   * The text of `rawOutput`, if the content has nothing to show. `undefined`: show the content, if there is any. It comes from
   * a program: make it safe for where you show it.
   */
  readonly text: string | undefined;
  /** How the command has ended, as far as `rawOutput` says it; the exit of a terminal counts more. */
  readonly exit: { readonly exitCode?: number; readonly signal?: string } | undefined;
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
  const { content, rawOutput } = call;
  let text: string | undefined;
  if (!Array.from(content).some((item) => isShown(item, hasTerminal))) {
    text = textOf(rawOutput);
    if (text === undefined && isObject(rawOutput) && Object.keys(rawOutput).length > 0) {
      text = JSON.stringify(rawOutput, undefined, 2);
    }
  }
  return { text: text === "" ? undefined : text, exit: exitOf(rawOutput) };
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

const exitNames = ["exitCode", "exit_code", "exit", "returncode", "return_code"];

function exitOf(raw: unknown): ToolCallOutput["exit"] {
  if (!isObject(raw)) return undefined;
  const code = exitNames.map((name) => raw[name]).find((value) => typeof value === "number");
  const signal = typeof raw["signal"] === "string" && raw["signal"] !== "" ? { signal: raw["signal"] } : {};
  if (typeof code === "number") return { exitCode: code, ...signal };
  if ("signal" in signal) return signal;
  return isObject(raw["metadata"]) ? exitOf(raw["metadata"]) : undefined;
}
