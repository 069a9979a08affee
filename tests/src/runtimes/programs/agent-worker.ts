/** Serves an agent, in a worker, on every port that is posted to it. */
import { parentPort } from "node:worker_threads";

import { createMessagePortTransport, type MessagePortLike } from "@acp/core";

import { createTestAgent } from "./test-agent.ts";

function serve(port: MessagePortLike): void {
  createTestAgent().connect(createMessagePortTransport(port));
}

if (typeof Worker === "function") addEventListener("message", ({ data }: MessageEvent<MessagePort>) => serve(data));
else parentPort?.on("message", serve);
