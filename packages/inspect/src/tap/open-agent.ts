import { type Transport, UsageError } from "@acp/core";
import { createHttpTransport } from "@acp/http";
import { type SpawnedTransport, spawnTransport } from "#runtime";

import { CommandLineError, type TapSettings } from "../command-line.ts";

/** Larger than what either side takes by default: whether a message is too large is for the other side to say. */
export const maxMessageBytes: number = 256 * 1024 * 1024;

/**
 * How long an agent may take to end: the editor says how patient it is, by a signal to this program. Behind that signal it
 * has to be quick, since editors do not wait long.
 */
const shutdown = { eofGrace: 60_000, termGrace: 500 };

/**
 * Starts the agent, or prepares the way to it. Over HTTP nothing is sent before the first message.
 *
 * @throws {ProcessStartError} if it cannot be started.
 * @throws {CommandLineError} for a URL that is none.
 */
export async function openAgent(
  { agent, framing }: TapSettings,
  onStderr: (line: string) => void,
): Promise<Transport | SpawnedTransport> {
  if ("command" in agent) return spawnTransport({ ...agent, framing, maxMessageBytes, onStderr, shutdown });
  try {
    return createHttpTransport(agent.url, { headers: agent.headers, maxMessageBytes });
  } catch (error) {
    throw error instanceof UsageError ? new CommandLineError(error.message) : error;
  }
}
