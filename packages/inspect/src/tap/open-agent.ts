import { type Transport, UsageError } from "@acp/core";
import { createHttpTransport } from "@acp/core/http";
import { type AgentProcess, spawnTransport } from "#runtime";

import { CommandLineError, type TapSettings } from "../command-line.ts";

/** Larger than what either side takes by default: whether a message is too large is for the other side to say. */
export const maxMessageBytes: number = 256 * 1024 * 1024;

/** The way to an agent. */
export interface OpenedAgent {
  readonly transport: Transport;
  /** Of an agent that was started here. */
  readonly process?: AgentProcess;
}

/**
 * Starts the agent, or prepares the way to it. Over HTTP nothing is sent before the first message.
 *
 * @throws {ProcessStartError} if it cannot be started.
 * @throws {CommandLineError} for a URL that is none.
 */
export async function openAgent(settings: TapSettings, onStderr: (line: string) => void): Promise<OpenedAgent> {
  const { agent, framing } = settings;
  if ("command" in agent) {
    const transport = await spawnTransport({ ...agent, framing, maxMessageBytes, onStderr });
    return { transport, process: transport.process };
  }
  try {
    return { transport: createHttpTransport(agent.url, { headers: agent.headers, maxMessageBytes }) };
  } catch (error) {
    throw error instanceof UsageError ? new CommandLineError(error.message) : error;
  }
}
