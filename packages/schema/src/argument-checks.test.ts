import { describe, expect, test } from "vitest";

import { isAbsolutePath } from "./argument-checks.ts";
import { agentTable, clientTable } from "./v1/index.ts";
import * as v2 from "./v2/index.ts";

const inUpdate = clientTable.handles.notifications["session/update"]?.checkParams;
const inPermission = clientTable.handles.requests["session/request_permission"]?.checkParams;
const inSetup = agentTable.handles.requests["session/new"]?.checkParams;
const inRead = clientTable.handles.requests["fs/read_text_file"]?.checkParams;
const inList = clientTable.calls.requests["session/list"]?.checkResult;

describe("the mistakes that tables find in paths and lines", () => {
  const locations = [{ path: "/a", line: 1 }, { path: "b", line: 0 }, { path: "C:\\c" }, null, 5];
  const content = [{ type: "diff", path: "./d" }, "text", { type: "diff" }];

  test.each(["tool_call", "tool_call_update"])("in %s each place, in lists, too", (sessionUpdate) => {
    expect(inUpdate?.({ sessionId: "s", update: { sessionUpdate, content, locations } })).toEqual([
      ["path", "update", "content", 0, "path"],
      ["line", "update", "locations", 1, "line"],
      ["path", "update", "locations", 1, "path"],
    ]);
  });

  test("none in a kind of update that holds no paths, with any names of its members", () => {
    expect(inUpdate?.({ sessionId: "s", update: { sessionUpdate: "agent_message_chunk", locations } })).toBeUndefined();
  });

  test.each([undefined, null, "text", [], {}, { update: null }, { update: { sessionUpdate: "tool_call" } }])(
    "nothing in %j, which is for the decoder to judge",
    (params) => {
      expect(inUpdate?.(params)).toBeUndefined();
    },
  );

  test("in version 2 each file of a change, in a list and in a piece of one", () => {
    const inUpdate2 = v2.clientTable.handles.notifications["session/update"]?.checkParams;
    const diff = { type: "diff", changes: [{ operation: "move", oldPath: "a", path: "/b" }] };
    const found = (sessionUpdate: string, more: object): unknown => inUpdate2?.({ update: { sessionUpdate, ...more } });
    expect(found("tool_call_update", { content: [{ type: "content" }, diff] })).toEqual([
      ["path", "update", "content", 1, "changes", 0, "oldPath"],
    ]);
    expect(found("tool_call_content_chunk", { content: diff })).toEqual([
      ["path", "update", "content", "changes", 0, "oldPath"],
    ]);
    expect(found("terminal_update", { cwd: "here" })).toEqual([["path", "update", "cwd"]]);
  });

  test("the command of a server with its own kind of path, and the directories", () => {
    const mcpServers = [{ command: "npx" }, { type: "http" }, { command: "/bin/server" }];
    expect(inSetup?.({ cwd: "~", additionalDirectories: ["/x", "y"], mcpServers })).toEqual([
      ["path", "additionalDirectories", 1],
      ["path", "cwd"],
      ["command", "mcpServers", 0, "command"],
    ]);
  });

  test("line 0, and no other number", () => {
    expect(inRead?.({ path: "/a", line: 0 })).toEqual([["line", "line"]]);
    expect(inRead?.({ path: "/a", line: 1 })).toBeUndefined();
  });

  test("in a permission request each place of its tool call, in the order of the call", () => {
    // What is no object was left out by the decoder.
    const [diff, , empty] = content;
    const read = { content: [diff, empty], locations: locations.slice(0, 3) };
    expect(inPermission?.({ toolCall: read })).toEqual([
      ["path", "toolCall", "content", 0, "path"],
      ["line", "toolCall", "locations", 1, "line"],
      ["path", "toolCall", "locations", 1, "path"],
    ]);
  });

  test.each([undefined, null, "text", [], {}, { toolCall: null }, { toolCall: { content: 5, locations: [null] } }])(
    "nothing in %j of a permission request",
    (params) => {
      expect(inPermission?.(params)).toBeUndefined();
    },
  );

  test("in results, too", () => {
    expect(inList?.({ sessions: [{ cwd: "/a" }, { cwd: "a" }] })).toEqual([["path", "sessions", 1, "cwd"]]);
  });

  test("a list of a hundred thousand wrong ones takes no longer than each of them", () => {
    const many = Array.from({ length: 100_000 }, () => ({ path: "relative" }));
    expect(inUpdate?.({ update: { sessionUpdate: "tool_call", locations: many } })).toHaveLength(100_000);
  });
});

test.each(["/a", "C:\\a", "c:/a", "\\\\server\\share"])("%s is absolute", (path) => {
  expect(isAbsolutePath(path)).toBe(true);
});

test.each(["", "a", "./a", "~/a", "C:a", "file:///a", "\\a"])("%s is not", (path) => {
  expect(isAbsolutePath(path)).toBe(false);
});
