import { createProxy } from "@acp/proxy";
import type { Transport } from "@acp/core";
import { serveStdio } from "#runtime";

import { framingOf } from "../agents/launch-settings.ts";

/**
 * Serves the agent of a replay to the client on stdin and stdout, until the client ends. Behind a proxy, requests that wait when
 * the replay gives up are answered with its reason.
 */
export async function replayAsAgent(replay: Transport, framing: string | undefined): Promise<void> {
  await serveStdio(createProxy({ connect: () => replay }), { framing: framingOf(framing) });
}
