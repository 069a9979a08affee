// The generated tables say which requests need an open session, so that a new one of a schema needs no line in core.
import type { RoleTable } from "@acp/schema";
import { agentTable as v1 } from "@acp/schema/v1";
import { agentTable as v1Unstable } from "@acp/schema/v1/unstable";
import { agentTable as v2 } from "@acp/schema/v2";
import { agentTable as v2Unstable } from "@acp/schema/v2/unstable";
import { describe, expect, test } from "vitest";

const ofOpenSessions = ["session/prompt", "session/close", "session/set_config_option"];
/** An agent answers these for any session that it keeps, open or not. */
const ofKeptSessions = [
  "session/archive",
  "session/delete",
  "session/set_title",
  "session/status",
  "session/unarchive",
];
const ofNoSession = ["initialize", "session/new", "session/list", "session/resume"];

function needsOpenSession({ handles }: RoleTable): string[] {
  return Object.entries(handles.requests).flatMap(([method, entry]) => (entry.needsOpenSession ? [method] : []));
}

describe.each([
  ["version 1", v1, ["session/set_mode"]],
  ["version 1 with its unstable part", v1Unstable, ["session/set_mode"]],
  ["version 2", v2, ["tool_call/cancel", "terminal/cancel"]],
  ["version 2 with its unstable part", v2Unstable, ["tool_call/cancel", "terminal/cancel"]],
] as const)("%s", (_name, table, more) => {
  test("needs an open session for requests that work on one, and for no others", () => {
    const needing = needsOpenSession(table);
    expect(needing).toEqual(expect.arrayContaining([...ofOpenSessions, ...more]));
    expect(needing.filter((method) => [...ofKeptSessions, ...ofNoSession].includes(method))).toEqual([]);
  });
});

test("requests for sessions that an agent keeps are requests of a schema", () => {
  const all = [v1Unstable, v2Unstable].flatMap(({ handles }) => Object.keys(handles.requests));
  expect(all).toEqual(expect.arrayContaining(ofKeptSessions));
});
