import { ProcessExitError } from "@acp/core";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";

import { spawnTransport } from "#runtime";

import { serverEnvironment } from "./server-environment.ts";

/** The process of an MCP server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Its own variables, beside those of the agent that are no secrets. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/**
 * Speaks with an MCP server over the stdio of its process. MCP separates messages there as ACP does, by line breaks. Closing
 * it ends the process and everything that it has started: many servers are started by `npx` or a shell.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** How the process has ended, if it did that by itself. */
  end: string | undefined;
  readonly #command: ServerCommand;
  #process: Awaited<ReturnType<typeof spawnTransport>> | undefined;

  constructor(command: ServerCommand) {
    this.#command = command;
  }

  /** @throws {ProcessStartError} if the process cannot be started. */
  async start(): Promise<void> {
    this.#process = await spawnTransport({ ...this.#command, env: serverEnvironment(this.#command.env) });
    this.#process.start({
      message: (text) => this.#receive(text),
      // Many servers print a greeting to stdout.
      issue: () => {},
      closed: (reason) => {
        if (reason !== undefined) this.end = describeEnd(reason);
        this.onclose?.();
      },
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#process?.send(JSON.stringify(message), "soon", true);
  }

  async close(): Promise<void> {
    await this.#process?.close();
  }

  #receive(text: string): void {
    let message: JSONRPCMessage;
    try {
      message = JSON.parse(text) as JSONRPCMessage;
    } catch {
      return;
    }
    this.onmessage?.(message);
  }
}

/** Leaves out the command, whose arguments may contain a key. */
function describeEnd(reason: Error): string {
  if (!(reason instanceof ProcessExitError)) return reason.message;
  const { exitCode, signal, stderr } = reason;
  const lastLine = stderr.trimEnd().split("\n").at(-1)?.trim().slice(0, 200) ?? "";
  const how = signal === null ? `it has ended with exit code ${exitCode ?? "unknown"}` : `${signal} has ended it`;
  return lastLine === "" ? how : `${how}, and its stderr with: ${lastLine}`;
}
