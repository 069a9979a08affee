import { at } from "@acp/testing";

import { expectThat } from "../../engine/check.ts";
import type { AgentCheck } from "../agent-context.ts";

/** How a connection begins. */
export const initializing: readonly AgentCheck[] = [
  {
    id: "answers-initialize",
    side: "agent",
    title: "An agent answers initialize with a version of the protocol that it speaks",
    level: "must",
    rules: ["INIT-01", "INIT-08"],
    mend: "Answer the request initialize with a result that has protocolVersion, a number.",
    async run(context) {
      const client = await context.start();
      const initialized = await client.initialize();
      const version = at(initialized, "protocolVersion");
      expectThat(Number.isInteger(version), `protocolVersion is ${JSON.stringify(version)}, not a whole number`);
    },
  },
  {
    id: "negotiates-an-unknown-version",
    side: "agent",
    title: "An agent answers a version that it does not know with the latest one that it speaks",
    level: "must",
    rules: ["INIT-09"],
    mend: "Never refuse initialize for its protocolVersion: answer with your own latest version, and let the client decide.",
    async run(context) {
      const client = await context.start();
      const { result, error } = await client.peer.call("initialize", {
        protocolVersion: 65_535,
        clientCapabilities: {},
        capabilities: {},
        info: { name: "check", version: "1.0.0" },
      });
      expectThat(error === undefined, `It answered with the error ${JSON.stringify(error)}`);
      const version = at(result, "protocolVersion");
      expectThat(version === 1 || version === 2, `It answered with version ${JSON.stringify(version)}`);
    },
  },
];
