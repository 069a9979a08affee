import { RequestError } from "@acp/core";
import { encodeBase64 } from "@acp/core/internal";
import type { FileSystemHandlers, HostContext, Terminal, TerminalHandlers } from "@acp/host/types";
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

/** Answers a request about a file or a terminal. */
export type ServedMethod = (params: unknown, context: HostContext) => unknown;

/** What answers an agent about files and terminals, by method. */
export function servedMethods(
  files: FileSystemHandlers | undefined,
  terminals: TerminalHandlers | undefined,
): ReadonlyMap<string, ServedMethod> {
  const handlers = new Map<string, ServedMethod>();
  const add = <Params>(
    method: string,
    decoder: Decoder<Params>,
    handler: (params: Params, context: HostContext) => unknown,
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
export function reportTerminal(terminal: Terminal, update: (update: object) => void): void {
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
