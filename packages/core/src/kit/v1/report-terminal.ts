import { readMember } from "../../base/values.ts";
import { randomId } from "../../base/random-id.ts";
import type { NewToolCall, ReportedToolCall } from "../../v1/agent-turn.ts";
import type { AnyTurn } from "./any-session.ts";
import { requireObject } from "../../base/require-argument.ts";
import { requireTarget } from "../shared/any-session.ts";

/** A tool call that shows a command that the agent runs itself. Its kind is `execute` by default. */
export type NewTerminalCall = Omit<NewToolCall, "content"> & {
  /** The directory that the command runs in, an absolute path. Default: the session's `cwd`. */
  readonly cwd?: string | undefined;
  /**
   * How much of the output to keep for a client that does not show such terminals, in UTF-16 code units. The beginning
   * is dropped. Default: 1,048,576.
   */
  readonly outputLimit?: number | undefined;
};

/** An already reported tool call that shows a command of the agent from now on. */
export type TerminalOfCall = Pick<NewTerminalCall, "cwd" | "outputLimit"> & { readonly call: ReportedToolCall };

/** How a command ended: with an exit code, or by a signal. */
export interface CommandExit {
  readonly exitCode?: number | null | undefined;
  readonly signal?: string | null | undefined;
}

/** A command that the agent runs itself and the client shows as a terminal. */
export interface ReportedTerminal {
  readonly id: string;
  /** The tool call that shows the command. Report its status here. */
  readonly call: ReportedToolCall;
  /** Appends to the output: text, or bytes of UTF-8. A character may be split between two calls. */
  output(data: string | Uint8Array): Promise<void>;
  /** Reports how the command ended. */
  exited(exit: CommandExit): Promise<void>;
}

/**
 * Shows a command that the agent runs itself as a live terminal. Version 1 has no message for that, so the output goes
 * into the `_meta` of the tool call, for clients that advertise `terminal_output` or `terminal_output_delta` in the
 * `_meta` of their capabilities, such as Zed. Other clients get the output as text when the command exits.
 *
 * ```ts
 * const terminal = await reportTerminal(turn, { title: "npm test" });
 * for await (const bytes of child.stdout) await terminal.output(bytes);
 * await terminal.exited({ exitCode: 0 });
 * await terminal.call.complete();
 * ```
 *
 * To run a command in a terminal of the client instead, use `runCommand`.
 */
export async function reportTerminal(
  turn: AnyTurn,
  options: NewTerminalCall | TerminalOfCall,
): Promise<ReportedTerminal> {
  requireTarget(turn, "reportTerminal", "toolCall");
  requireObject(options, "reportTerminal() takes { title } or { call } second");
  const { cwd, outputLimit, ...shown } = options;
  const id = ("call" in shown ? shown.call.id : shown.toolCallId) ?? randomId();
  const decoder = new TextDecoder();
  const name = outputName(turn.session);
  const content = [{ type: "terminal" as const, terminalId: id }];
  const info = { terminal_info: { terminal_id: id, cwd: cwd ?? turn.session.cwd } };
  const call = await report(turn, id, shown, name === undefined ? undefined : { content, _meta: info });
  if (name === undefined) {
    const limit = outputLimit ?? 1024 * 1024;
    let text = "";
    return {
      id,
      call,
      async output(data) {
        text = (text + decode(decoder, data)).slice(-limit);
      },
      exited: () => (text === "" ? Promise.resolve() : call.update({ content: text })),
    };
  }
  return {
    id,
    call,
    output(data) {
      const text = decode(decoder, data);
      if (text === "") return Promise.resolve();
      return call.update({ _meta: { [name]: { terminal_id: id, data: text } } });
    },
    exited: ({ exitCode, signal }) =>
      call.update({
        _meta: { terminal_exit: { terminal_id: id, exit_code: exitCode ?? null, signal: signal ?? null } },
      }),
  };
}

/** Reports the call that shows the command: a new one, or a change of one that the client knows. */
async function report(
  turn: AnyTurn,
  toolCallId: string,
  shown: NewToolCall | { readonly call: ReportedToolCall },
  terminal?: Pick<NewToolCall, "content" | "_meta">,
): Promise<ReportedToolCall> {
  if (!("call" in shown)) {
    const meta = terminal && { _meta: { ...shown._meta, ...terminal._meta } };
    return turn.toolCall({ kind: "execute", ...shown, toolCallId, ...terminal, ...meta });
  }
  await shown.call.update({ status: "in_progress", ...terminal });
  return shown.call;
}

function decode(decoder: TextDecoder, data: string | Uint8Array): string {
  return typeof data === "string" ? data : decoder.decode(data, { stream: true });
}

/** Under which name the client takes output; `undefined` if it takes none. */
function outputName({ client }: AnyTurn["session"]): "terminal_output" | "terminal_output_delta" | undefined {
  const meta = client.capabilities._meta;
  if (readMember(meta, "terminal_output") === true) return "terminal_output";
  return readMember(meta, "terminal_output_delta") === true ? "terminal_output_delta" : undefined;
}
