import { describe, expect, test } from "vitest";
import type { ModelGate, ProtocolModel } from "../../model/protocol-model.ts";
import { readModel } from "../../model/read-model.ts";
import type { JsonSchema } from "../../model/schema-document.ts";
import { emitHandlers, emitIndex, emitMethods, emitRoleTable, emitSessionMethods, CheckEmitter } from "./index.ts";

const message = (method: string, side: string): JsonSchema => ({
  type: "object",
  properties: {},
  "x-method": method,
  "x-side": side,
});

const header = ["// head"];
const definitions: Record<string, JsonSchema> = {
  NewRequest: { ...message("s/new", "agent"), description: "Opens." },
  NewResponse: message("s/new", "agent"),
  AskRequest: { ...message("ask", "client"), properties: { sessionId: { type: "string" } }, required: ["sessionId"] },
  AskResponse: message("ask", "client"),
  CloseRequest: {
    ...message("s/close", "agent"),
    properties: { sessionId: { type: "string" } },
    required: ["sessionId"],
  },
  CloseResponse: message("s/close", "agent"),
  StopNotification: message("stop", "agent"),
  TellNotification: message("tell", "client"),
  PingNotification: message("$/ping", "protocol"),
};
const gate: ModelGate = { kind: "capability", path: ["a", "b"], value: "boolean" };

function withRules(model: ProtocolModel): ProtocolModel {
  return {
    ...model,
    protocolVersion: 7,
    methods: model.methods.map((method) => ({
      ...method,
      ...(method.name === "s/new" && { opensSession: "result", endsTurn: true, gates: [gate] }),
      ...(method.name === "s/close" && { endsSession: true, needsOpenSession: true }),
      ...(method.name === "stop" && { unqueued: true, paramValues: { cwd: "path" } }),
      ...(method.name === "ask" && { paramValues: { cwd: "path" }, resultValues: { lines: ["line"] } }),
    })),
    variantGates: [{ union: "U", tag: "x-y", sender: "client", gate: { kind: "session", member: "m" } }],
    setupGates: { roots: [gate] },
  };
}

const model = withRules(readModel({ $defs: definitions }));
const table = (role: "agent" | "client"): string =>
  emitRoleTable(model, role, { runtime: "./protocol.ts", header, checks: new CheckEmitter() });

describe("emitRoleTable()", () => {
  test("lists the methods that a role handles and calls, with gates and rules", () => {
    expect(table("agent")).toBe(`// head

import { flagGate, inSession, readString, type Gate, type RoleTable } from "./protocol.ts";
import {
  decodeAskResponse,
  decodeCloseRequest,
  decodeNewRequest,
  decodePingNotification,
  decodeStopNotification,
} from "./decoders.ts";
import { checkAskResponse, checkStopNotification } from "./checks.ts";

const gateOfAB: Gate = /* @__PURE__ */ flagGate("a.b");

/** The methods that an agent handles and calls. */
export const agentTable: RoleTable = {
  protocolVersion: 7,
  role: "agent",
  handles: {
    requests: {
      "s/close": { params: decodeCloseRequest, endsSession: true, needsOpenSession: true },
      "s/new": { params: decodeNewRequest, gates: [gateOfAB], opensSession: "result" },
    },
    notifications: {
      "$/ping": { params: decodePingNotification },
      stop: { params: decodeStopNotification, unqueued: true, checkParams: checkStopNotification },
    },
  },
  calls: {
    requests: {
      ask: /* @__PURE__ */ inSession({ sessionId: readString }, { result: decodeAskResponse, checkResult: checkAskResponse }),
    },
    notifications: {
      "$/ping": {},
      tell: {},
    },
  },
  variants: {
    U: {
      "x-y": { kind: "session", member: "m" },
    },
  },
  setup: {
    roots: [gateOfAB],
  },
};
`);
  });

  test("imports only the decoders that the role needs", () => {
    const client = table("client");
    expect(client).toContain("decodeNewResponse");
    expect(client).not.toContain("decodeNewRequest");
    expect(client).toContain('"s/new": { result: decodeNewResponse, gates: [');
    expect(client).toContain('opensSession: "result", endsTurn: true }');
  });
});

describe("emitMethods()", () => {
  test("maps wire names to sent and received types", () => {
    expect(emitMethods(model, { runtime: "./protocol.ts", header })).toBe(`// head

import type { Notification, Request } from "./protocol.ts";
import type * as Received from "./received.ts";
import type * as Sent from "./types.ts";

/** The methods that an agent handles and a client calls, by name. */
export type AgentMethods = {
  readonly "s/close": Request<Sent.CloseRequest, Sent.CloseResponse, Received.CloseRequest, Received.CloseResponse>;
  /** Opens. */
  readonly "s/new": Request<Sent.NewRequest, Sent.NewResponse, Received.NewRequest, Received.NewResponse>;
  readonly stop: Notification<Sent.StopNotification, Received.StopNotification>;
};

/** The methods that a client handles and an agent calls, by name. */
export type ClientMethods = {
  readonly ask: Request<Sent.AskRequest, Sent.AskResponse, Received.AskRequest, Received.AskResponse>;
  readonly tell: Notification<Sent.TellNotification, Received.TellNotification>;
};

/** The methods that both sides handle and call, by name. */
export type ProtocolMethods = {
  readonly "$/ping": Notification<Sent.PingNotification, Received.PingNotification>;
};
`);
  });

  test("keeps a proxy's request and notification of one name apart", () => {
    const proxied = readModel({
      $defs: {
        HopRequest: message("proxy/hop", "proxy"),
        HopResponse: message("proxy/hop", "proxy"),
        HopNotification: message("proxy/hop", "proxy"),
      },
    });
    const methods = emitMethods(proxied, { runtime: "./protocol.ts", header });
    expect(methods).toMatch(
      /ProxyMethods = \{\s+readonly requests: \{\s+readonly "proxy\/hop": Request<.*>;\s+\};\s+readonly notifications: \{\s+readonly "proxy\/hop": Notification</,
    );
    expect(methods).toContain("export type AgentMethods = Record<never, never>;");
    expect(emitIndex(proxied, { header })).toContain("ProxyMethods");
    expect(emitIndex(model, { header })).not.toContain("ProxyMethods");
  });

  test("gives a request and a notification of one name and side the types of either", () => {
    const twice = readModel({
      $defs: {
        HopRequest: message("hop", "agent"),
        HopResponse: message("hop", "agent"),
        HopNotification: message("hop", "agent"),
      },
    });
    expect(emitMethods(twice, { runtime: "r", header })).toContain(
      "readonly hop: Request<Sent.HopRequest, Sent.HopResponse, Received.HopRequest, Received.HopResponse> | Notification<Sent.HopNotification, Received.HopNotification>;",
    );
    const roles = emitRoleTable(twice, "agent", { runtime: "r", header, checks: new CheckEmitter() });
    expect(roles).toMatch(/requests: \{\s+hop: \{ params: decodeHopRequest \},\s+\},\s+notifications: \{\s+hop: /);
  });
});

describe("emitSessionMethods()", () => {
  test("lists a client's messages to a session, in any of the schemas", () => {
    const session = { properties: { sessionId: { type: "string" } }, required: ["sessionId"] };
    const other = { StopNotification: { ...message("stop", "agent"), ...session } };
    const models = [definitions, other].map(($defs) => readModel({ $defs }));
    expect(emitSessionMethods(models, { header })).toContain(`new Set([
  "s/close",
  "stop",
]);
`);
  });
});

describe("emitHandlers()", () => {
  test("tells requests from notifications, and resolves names that another version has on the other side", () => {
    const other = { StopNotification: message("stop", "client"), AskNotification: message("ask", "agent") };
    const models = [definitions, other].map(($defs) => readModel({ $defs }));
    expect(emitHandlers(models, { header })).toContain(`{
  request: {
    ask: "client",
    "s/close": "agent",
    "s/new": "agent",
  },
  notification: {
    "$/ping": "protocol",
    ask: "agent",
    stop: "protocol",
    tell: "client",
  },
};
`);
  });
});
