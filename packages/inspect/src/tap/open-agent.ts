import { type Transport, UsageError } from "@acp/core";
import { createHttpTransport } from "@acp/http";
import { type SpawnedTransport, spawnTransport } from "#runtime";

import { CommandLineError, type TapSettings } from "../command-line.ts";

/** More than either side accepts by default: the other side decides whether a message is too large. */
export const maxMessageBytes: number = 256 * 1024 * 1024;

/**
 * How long an agent may take to end: the editor decides, by a signal to this program. After that signal it has to be
 * quick, since editors do not wait long.
 */
const shutdown = { eofGrace: 60_000, termGrace: 500 };

/**
 * Starts the agent, or prepares the connection to it. Over HTTP nothing is sent before the first message.
 *
 * @throws {ProcessStartError} if it cannot be started.
 * @throws {CommandLineError} for an invalid URL.
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
