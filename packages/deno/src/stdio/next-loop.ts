import type { NextLoop } from "@acp/host";

import { nodeProcess, type Socket } from "./node-process.ts";

/**
 * Has Deno look at a socket in each turn of its event loop: it looks at once where reading begins, and otherwise in one
 * turn of sixty, as long as there is anything to do in them. `undefined` where this process would keep its peer from
 * running.
 */
export function nextLoop(socket: Socket): NextLoop | undefined {
  if (navigator.hardwareConcurrency === 1) return undefined;
  const { setImmediate } = nodeProcess().getBuiltinModule("node:timers");
  return (task) => {
    setImmediate(() => {
      // Paused by its reader, it has nothing to tell.
      if (!socket.isPaused()) {
        socket.pause();
        socket.resume();
      }
      task();
    });
  };
}
