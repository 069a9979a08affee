// A request for an open session that comes new into a schema has to be listed in the dialect of its version.
import { clientTable as v1 } from "@acp/schema/v1";
import { clientTable as v1Unstable } from "@acp/schema/v1/unstable";
import { clientTable as v2 } from "@acp/schema/v2";
import { clientTable as v2Unstable } from "@acp/schema/v2/unstable";
import type { RoleTable } from "@acp/schema";
import { describe, expect, test } from "vitest";
import { agentDialect as dialect1 } from "../../src/v1/agent-dialect.ts";
import { agentDialect as dialect2 } from "../../src/v2/agent-dialect.ts";

/** These are for sessions that the agent keeps, open or not: a handler answers them for any id. */
const ofKeptSessions: ReadonlySet<string> = new Set([
  "session/archive",
  "session/delete",
  "session/set_title",
  "session/status",
  "session/unarchive",
]);

/** The requests whose params always name a session, but for those that open one. */
function sessionRequests({ calls }: RoleTable): string[] {
  return Object.entries(calls.requests)
    .filter(([, { sessionScoped, opensSession }]) => sessionScoped && opensSession === undefined)
    .map(([method]) => method);
}

describe.each([
  ["version 1", v1, dialect1.sessionMethods],
  ["version 1 with its unstable part", v1Unstable, dialect1.sessionMethods],
  ["version 2", v2, dialect2.sessionMethods],
  ["version 2 with its unstable part", v2Unstable, dialect2.sessionMethods],
] as const)("%s", (_name, table, sessionMethods) => {
  test("lists every request of its schema that works on an open session, and no other", () => {
    const ofOpenSessions = sessionRequests(table).filter((method) => !ofKeptSessions.has(method));
    expect(new Set(ofOpenSessions)).toEqual(sessionMethods);
  });
});

test("requests for sessions that an agent keeps are requests of a schema", () => {
  const all = new Set([v1Unstable, v2Unstable].flatMap(sessionRequests));
  expect([...ofKeptSessions].filter((method) => !all.has(method))).toEqual([]);
});
