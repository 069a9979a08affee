import { RequestError } from "@acp/core";
import { encodeBase64 } from "@acp/core/internal";
import { decode, type Decoder } from "@acp/schema";
import {
  decodeCreateTerminalRequest,
  decodeKillTerminalRequest,
  decodeReadTextFileRequest,
  decodeReleaseTerminalRequest,
  decodeTerminalOutputRequest,
  decodeWaitForTerminalExitRequest,
  decodeWriteTextFileRequest,
} from "@acp/schema/v1";

/** The session that a request for a file or a terminal belongs to. */
export interface ServedSession {
  readonly id: string;
  /** The working directory; empty for a session that the client has not opened. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** Aborts when the session is closed or deleted, or the connection ends. */
  readonly signal: AbortSignal;
}

/** The context of a request for a file or a terminal. */
export interface ServedContext {
  readonly session: ServedSession;
  /** Aborts when the agent cancels the request. */
  readonly signal: AbortSignal;
}

/** What reads and writes files for an agent, as `fileSystem()` of `@acp/node` returns it. */
export interface ServedFiles {
  "fs/read_text_file"(
    params: { readonly path: string; readonly line?: number | null; readonly limit?: number | null },
    context: ServedContext,
  ): unknown;
  "fs/write_text_file"(params: { readonly path: string; readonly content: string }, context: ServedContext): unknown;
}

/** The params of a request about a terminal. */
export interface ServedTerminalParams {
  readonly sessionId: string;
  readonly terminalId: string;
}

/** What runs commands for an agent, as `terminals()` of `@acp/node` returns it. */
export interface ServedTerminals {
  "terminal/create"(
    params: {
      readonly sessionId: string;
      readonly command: string;
      readonly args?: string[];
      readonly env?: { name: string; value: string }[];
      readonly cwd?: string | null;
      readonly outputByteLimit?: number | null;
    },
    context: ServedContext,
  ): unknown;
  "terminal/output"(params: ServedTerminalParams, context: ServedContext): unknown;
  "terminal/wait_for_exit"(params: ServedTerminalParams, context: ServedContext): unknown;
  "terminal/kill"(params: ServedTerminalParams, context: ServedContext): unknown;
  "terminal/release"(params: ServedTerminalParams, context: ServedContext): unknown;
}

/** A terminal that an agent has opened, as `terminals()` of `@acp/node` reports it. */
export interface OpenedTerminal {
  readonly id: string;
  readonly sessionId: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly exited: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  onOutput(listener: (chunk: Uint8Array) => void): () => void;
}

/** Makes what runs commands, such as `terminals` of `@acp/node`. It reports each terminal, whose output clients then see. */
export type CreateServedTerminals = (options: {
  readonly onCreate: (terminal: OpenedTerminal) => void;
}) => ServedTerminals;

type Handle = (params: unknown, context: ServedContext) => unknown;

/** What answers an agent about files and terminals, by method. */
export function servedMethods(
  files: ServedFiles | undefined,
  terminals: ServedTerminals | undefined,
): ReadonlyMap<string, Handle> {
  const handlers = new Map<string, Handle>();
  const add = <Params>(
    method: string,
    decoder: Decoder<Params>,
    handler: (params: Params, context: ServedContext) => unknown,
  ): void => {
    handlers.set(method, (params, context) => {
      const read = decode(decoder, params);
      if (!read.ok) throw RequestError.invalidParams("The params do not fit the method", { reason: read.reason });
      return handler(read.value, context);
    });
  };
  if (files !== undefined) {
    add("fs/read_text_file", decodeReadTextFileRequest, (...call) => files["fs/read_text_file"](...call));
    add("fs/write_text_file", decodeWriteTextFileRequest, (...call) => files["fs/write_text_file"](...call));
  }
  if (terminals !== undefined) {
    add("terminal/create", decodeCreateTerminalRequest, (...call) => terminals["terminal/create"](...call));
    add("terminal/output", decodeTerminalOutputRequest, (...call) => terminals["terminal/output"](...call));
    add("terminal/wait_for_exit", decodeWaitForTerminalExitRequest, (...call) =>
      terminals["terminal/wait_for_exit"](...call),
    );
    add("terminal/kill", decodeKillTerminalRequest, (...call) => terminals["terminal/kill"](...call));
    add("terminal/release", decodeReleaseTerminalRequest, (...call) => terminals["terminal/release"](...call));
  }
  return handlers;
}

/** Reports a terminal and its output in updates of version 2. */
export function reportTerminal(terminal: OpenedTerminal, update: (update: object) => void): void {
  const { id: terminalId, command, args, cwd } = terminal;
  const line = [command, ...args].join(" ");
  update({ sessionUpdate: "terminal_update", terminalId, command: line, ...(cwd === undefined ? {} : { cwd }) });
  const stop = terminal.onOutput((chunk) =>
    update({ sessionUpdate: "terminal_output_chunk", terminalId, data: encodeBase64(chunk) }),
  );
  void terminal.exited.then((exitStatus) => {
    stop();
    update({ sessionUpdate: "terminal_update", terminalId, exitStatus: { ...exitStatus } });
  });
}
