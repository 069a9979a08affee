import { type AnyOptions, type Edition, type Example, type Json, sentBy, tagsOf } from "./edition.ts";
import type { Side } from "./line.ts";

/** An example of a method. Without a result it is a notification. */
export interface MethodExample extends Example {
  readonly method: string;
}

/** The session of the examples. */
export const sessionId = "sess_7f3a";

/** The examples of methods that a side sends. */
export function methodExamples(edition: Edition, side: Side): readonly MethodExample[] {
  const { requests, notifications } = sentBy(edition, side);
  const all = edition.examples.filter((example): example is MethodExample => example.method !== undefined);
  return all.filter(({ method, result }) => method in (result === undefined ? notifications : requests));
}

/** The updates of the examples that the edition has. */
export function updateExamples(edition: Edition): readonly Json[] {
  const tags = new Set<unknown>(tagsOf(edition, "SessionUpdate", "sessionUpdate"));
  return edition.examples.flatMap(({ definition, value }) =>
    definition === "SessionUpdate" && value !== undefined && tags.has(value["sessionUpdate"]) ? [value] : [],
  );
}

/** Handlers that answer each example that `caller` sends as the reference does. */
export function answering(edition: Edition, caller: Side): AnyOptions["handlers"] {
  const handlers: Record<string, (params: object) => unknown> = {};
  for (const { method, result } of methodExamples(edition, caller)) {
    if (method === "initialize" || method.startsWith("$/")) continue;
    handlers[method] ??= (params) => answerTo(edition, caller, method, params) ?? result;
  }
  // In version 2 a handler returns how its turn ends.
  if (caller === "client") handlers["session/prompt"] = () => ({ stopReason: "end_turn" });
  return handlers;
}

function answerTo(edition: Edition, caller: Side, method: string, params: object): unknown {
  const all = methodExamples(edition, caller).filter((example) => example.method === method);
  return (all.find((example) => JSON.stringify(example.params) === JSON.stringify(params)) ?? all[0])?.result;
}

const info = { name: "agent", version: "1.0.0" };

/** What `initialize` says for a client that is played by hand. */
export function initializeParams(edition: Edition, capabilities: object = {}): Json {
  return edition.version === 1
    ? { protocolVersion: 1, clientCapabilities: capabilities }
    : { protocolVersion: 2, info: { ...info, name: "client" }, capabilities };
}

/** What `initialize` is answered by an agent that is played by hand. */
export function initializeResult(edition: Edition, capabilities: object = {}): Json {
  return edition.version === 1
    ? { protocolVersion: 1, agentCapabilities: capabilities }
    : { protocolVersion: 2, info, capabilities: { session: {}, ...capabilities } };
}

/** What `session/new` gets, without anything that may be left out. */
export function newSessionParams(edition: Edition): Json {
  return edition.version === 1 ? { cwd: "/project", mcpServers: [] } : { cwd: "/project" };
}

/** The login method of the examples. */
export function loginOf(edition: Edition): object {
  return edition.version === 1
    ? { id: "account", name: "Log in" }
    : { type: "agent", methodId: "account", name: "Log in" };
}
