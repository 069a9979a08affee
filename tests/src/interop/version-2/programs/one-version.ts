// The reference agent as one that speaks a single version: `one-version.ts <1 or 2> [arguments of the agent]`.
import process from "node:process";
import { RequestError } from "@acp/core";
import { serveStdio, spawnTransport } from "@acp/node";
import { createProxy } from "@acp/proxy";
import { agentProgram } from "../../../support/main-job-programs.ts";

const [spoken, ...args] = process.argv.slice(2);

await serveStdio(
  createProxy({
    connect: () => spawnTransport({ command: process.execPath, args: [agentProgram, "--pace", "0", ...args] }),
    fromClient({ kind, method, params }, forward) {
      if (kind !== "request" || method !== "initialize") return forward({ method, params });
      const requested = (params as { readonly protocolVersion: number }).protocolVersion;
      if (requested < Number(spoken)) {
        const data = { requested, supported: [Number(spoken)] };
        throw new RequestError({ code: -32_022, message: "Unsupported protocol version", data });
      }
      return forward({ method, params: { ...(params as object), protocolVersion: Number(spoken) } });
    },
  }),
);
