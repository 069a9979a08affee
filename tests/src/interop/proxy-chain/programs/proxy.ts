/** A proxy of a chain over stdio; its argument says what it does. */
import { type ChainProxyOptions, createChainProxy } from "@acp/proxy/chain";
import { serveStdio } from "@acp/node";

import { tellPid } from "./tell-pid.ts";

/** Replaces text wherever it stands. */
function replaced(params: unknown, from: string, to: string): unknown {
  return JSON.parse(JSON.stringify(params).replaceAll(from, to));
}

const behaviours: Record<string, ChainProxyOptions<undefined>> = {
  pass: {},
  rewrite: {
    fromClient: ({ method, params }, forward) =>
      forward({ method, params: method === "session/prompt" ? replaced(params, "NAME", "Ada") : params }),
    fromSuccessor: ({ method, params }, forward) =>
      forward({ method, params: method === "session/update" ? replaced(params, "Ada", "Countess") : params }),
  },
  die: {
    fromSuccessor: (message, forward) => {
      if (message.method === "session/update") process.kill(process.pid, "SIGKILL");
      return forward(message);
    },
  },
  exit: {
    fromClient: (message, forward) => {
      if (message.method === "session/prompt") process.exit(3);
      return forward(message);
    },
  },
  silent: { fromClient: () => new Promise(() => {}) },
};

const [behaviour = "pass"] = process.argv.slice(2);
tellPid(behaviour);
await serveStdio(createChainProxy(behaviours[behaviour] ?? {}));
