import type { ToolKind } from "@acp/schema/v1/types";
import type { DeepPartial, FlexibleSchema, InferToolInput, InferToolOutput, Tool, ToolSet } from "ai";
import type { ToolLocation, ToolOutput } from "../turn/any-turn.ts";

/**
 * How the calls of a tool look in the client.
 *
 * ```ts
 * const read: ToolDisplay<{ path: string }, string> = {
 *   kind: "read",
 *   title: ({ path = "a file" }) => `Read ${path}`,
 *   locations: ({ path }) => (path === undefined ? [] : [{ path }]),
 * };
 * ```
 */
export interface ToolDisplay<Input = unknown, Output = unknown> {
  /** What kind of tool it is; clients choose an icon by it. Default: `other`. */
  readonly kind?: ToolKind | undefined;
  /**
   * The title of a call. While the model writes the input, the function gets what there is of it; what it throws then is
   * ignored. Default: the name of the tool and the first word-like value of the input.
   */
  title?: string | ((input: DeepPartial<Input>) => string);
  /** The files that a call is about. Default: none. */
  locations?(input: DeepPartial<Input>): ToolLocation[];
  /** What a call shows before it has a result, such as the change of a file. Default: only the input. */
  input?(input: DeepPartial<Input>): ToolOutput | undefined;
  /**
   * What a call shows for its result; `undefined` leaves what it shows. Default: a text as it is, the content of a result of
   * MCP, and `rawOutput` for anything else.
   */
  output?(output: Output, input: Input): ToolOutput | undefined;
  /**
   * Whether a result is a failure, such as a command that exits with 1: the call is shown as failed then, and the model gets
   * the result like any other. Default: only what the tool throws is a failure.
   */
  isFailure?(output: Output, input: Input): boolean;
  /** Whether the result also goes to the client as `rawOutput`. Default: unless it is a text. */
  readonly rawOutput?: boolean | undefined;
  /**
   * Whether the client is told nothing of the calls, as for a tool whose effect is what the user sees, such as a plan. A call
   * that needs a permission is shown all the same. Default: false.
   */
  readonly isHidden?: boolean | undefined;
}

// Asked for once more: the compiler does not take the tools of a `ToolSet` for tools under `exactOptionalPropertyTypes`.
type DisplayOf<T> = [T] extends [Tool] ? ToolDisplay<InferToolInput<T>, InferToolOutput<T>> : ToolDisplay<InputOf<T>>;

type InputOf<T> = T extends { readonly inputSchema: FlexibleSchema<infer Input> } ? Input : unknown;

/** How the calls of tools look: by the name of the tool, or a function of the name for tools that are not known before. */
export type ShowTools<Tools extends ToolSet = ToolSet> =
  | { readonly [Name in keyof Tools]?: DisplayOf<Tools[Name]> }
  | ((toolName: string) => ToolDisplay | undefined);

/** The display of a tool; an empty one if nothing says how it looks. */
export function displayOf(show: ShowTools | undefined, toolName: string): ToolDisplay {
  if (show === undefined) return {};
  if (typeof show === "function") return show(toolName) ?? {};
  return Object.hasOwn(show, toolName) ? (show[toolName] ?? {}) : {};
}
