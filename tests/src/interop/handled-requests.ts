import type { Gate } from "@acp/schema";
import * as stable from "@acp/schema/v1";
import * as unstable from "@acp/schema/v1/unstable";

import { at } from "./json.ts";
import type { AgentProfile, Entry } from "./profile.ts";

const tables = { stable: stable.agentTable, unstable: unstable.agentTable };
/** Those that the programs handle in a way of their own. */
const own: readonly string[] = ["initialize", "session/prompt"];

/** The requests that a directed agent logs and answers: all that it has advertised. */
export function handledRequests(profile: AgentProfile, entry: Entry): readonly string[] {
  return Object.entries(tables[entry].handles.requests)
    .filter(([method, { gates = [] }]) => !own.includes(method) && gates.every((gate) => isOpen(gate, profile)))
    .map(([method]) => method);
}

function isOpen(gate: Gate, { capabilities, authMethods }: AgentProfile): boolean {
  if (gate.kind === "authMethod") return authMethods.length > 0;
  // What sessions have is said when they are opened.
  return gate.kind === "session" || isOffered(capabilities, gate.path);
}

/** Absent, false and null all mean no. */
export function isOffered(capabilities: unknown, path: readonly string[]): boolean {
  const value = at(capabilities, ...path);
  return value === true || (typeof value === "object" && value !== null);
}
