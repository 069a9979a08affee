import { at, type Message } from "@acp/testing";

import type { AgentCheck, AgentContext } from "../agent/agent-context.ts";
import { expectThat } from "../engine/check.ts";
import { entryChecks } from "./entry-checks.ts";

/** What the registry's own check sends: an id that is a number, and a client that can start terminal logins. */
const params = {
  protocolVersion: 1,
  clientInfo: { name: "acp-check", version: "1.0.0" },
  clientCapabilities: {
    terminal: true,
    fs: { readTextFile: true, writeTextFile: true },
    _meta: { terminal_output: true, "terminal-auth": true },
  },
};

/**
 * What https://github.com/agentclientprotocol/registry demands of an agent before it lists it. `entry` is the folder with its
 * `agent.json` and `icon.svg`.
 */
export function registryChecks(entry: string | undefined): readonly AgentCheck[] {
  return [...handshake, ...(entry === undefined ? [] : entryChecks(entry))];
}

const handshake: readonly AgentCheck[] = [
  {
    id: "registry-handshake",
    side: "agent",
    title: "The first line that an agent writes is the answer to initialize, also in an empty home directory",
    level: "must",
    rules: ["INIT-05"],
    protocols: [1],
    mend: "Write nothing to stdout before the answer to initialize, no banner and no notification, and need no login and no files to give it.",
    async run(context) {
      const { first, answer, issues } = await handshakeWith(context);
      expectThat(issues.length === 0, `It wrote what is no message: ${issues.join(", ")}`);
      expectThat(answer.error === undefined, `It answered with the error ${JSON.stringify(answer.error)}`);
      expectThat(first === answer, `Its first message was ${JSON.stringify(first)}`);
    },
  },
  {
    id: "registry-login",
    side: "agent",
    title: "An agent offers a way to log in of the type agent or terminal",
    level: "must",
    rules: ["AUTH-01"],
    protocols: [1],
    mend: 'Offer in authMethods at least one method of the type "agent" (also the type of those that name none) or "terminal"; a way to log in by variables alone does not suffice.',
    async run(context) {
      const { answer } = await handshakeWith(context);
      const methods = at(answer, "result", "authMethods");
      const types = Array.isArray(methods) ? methods.map(typeOf) : [];
      expectThat(types.length > 0, "authMethods of its answer to initialize is empty or missing");
      const isOffered = types.some((type) => type === "agent" || type === "terminal");
      expectThat(isOffered, `Its ways to log in have the types ${types.join(", ")}`);
    },
  },
];

async function handshakeWith(
  context: AgentContext,
): Promise<{ readonly first: Message | undefined; readonly answer: Message; readonly issues: readonly string[] }> {
  const { peer } = await context.start();
  const answer = await peer.call("initialize", params);
  return { first: peer.received[0], answer, issues: peer.issues };
}

/** The type of a way to log in, which older agents say in `_meta`. */
function typeOf(method: unknown): string {
  const type = at(method, "type");
  if (typeof type === "string" && type !== "") return type;
  return at(method, "_meta", "terminal-auth") === undefined ? "agent" : "terminal";
}
