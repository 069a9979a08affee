import { resolve, win32 } from "node:path";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createAgent } from "../../src/v1/agent.ts";
import * as v2 from "../../src/v2/entry.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";

const info = { name: "test-agent", version: "1.0.0" };
const inProject = (path: string): string => resolve("/project", path);

interface Opened {
  readonly peer: RawPeer;
  readonly diagnostics: readonly Diagnostic[];
  /** The params that handlers received, in order. */
  readonly received: readonly unknown[];
}

async function connect(resolvePath?: (path: string) => string): Promise<Opened> {
  const diagnostics: Diagnostic[] = [];
  const received: unknown[] = [];
  const agent = createAgent({
    info,
    resolvePath,
    capabilities: { sessionCapabilities: { additionalDirectories: {} } },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: {
      "session/prompt": () => ({ stopReason: "end_turn" }),
      "session/new": (params, { session }) => {
        received.push(params.cwd, session.cwd, session.additionalDirectories);
        return { sessionId: session.id };
      },
      "session/load": (_params, { session }) => {
        received.push(session.cwd);
        return {};
      },
      "session/list": ({ cwd }) => {
        received.push(cwd);
        return { sessions: [] };
      },
    },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 1 });
  return { peer, diagnostics, received };
}

describe("createAgent({ resolvePath })", () => {
  test.each([
    [".", "/project"],
    ["./src", "/project/src"],
    ["../other", "/other"],
    ["a b/c", "/project/a b/c"],
  ])("takes the cwd %j of session/new as %j, and reports it", async (cwd, path) => {
    const { peer, diagnostics, received } = await connect(inProject);
    expect(await peer.call("session/new", { cwd, mcpServers: [] })).toMatchObject({ result: {} });
    expect(received).toEqual([path, path, []]);
    expect(diagnostics).toMatchObject([{ type: "rule", rule: "CONV-02", method: "session/new", path: ["cwd"] }]);
  });

  test("does so for further directories, for session/load and for session/list", async () => {
    const { peer, diagnostics, received } = await connect(inProject);
    await peer.call("session/new", { cwd: "/a", mcpServers: [], additionalDirectories: ["/b", "c"] });
    await peer.call("session/load", { sessionId: "s", cwd: "d", mcpServers: [] });
    await peer.call("session/list", { cwd: "." });
    expect(received).toEqual(["/a", "/a", ["/b", "/project/c"], "/project/d", "/project"]);
    expect(diagnostics.map((each) => "path" in each && each.path)).toEqual([
      ["additionalDirectories", 1],
      ["cwd"],
      ["cwd"],
    ]);
  });

  test.each(["", "~/a", "~", "C:a", "file:///a", "\\a"])("still refuses %j", async (cwd) => {
    const { peer, received } = await connect(inProject);
    const answer = await peer.call("session/new", { cwd, mcpServers: [] });
    expect(answer).toMatchObject({ error: { code: -32602, data: { path: "/cwd" } } });
    expect(received).toEqual([]);
  });

  test("may resolve as Windows does", async () => {
    const { peer, received } = await connect((path) => win32.resolve("C:\\project", path));
    await peer.call("session/new", { cwd: ".\\src", mcpServers: [] });
    expect(received[0]).toBe("C:\\project\\src");
  });

  test.each([
    ["without it", undefined],
    ["where it returns no absolute path", (path: string) => path],
  ])("a relative path is refused %s", async (_name, resolvePath) => {
    const { peer } = await connect(resolvePath);
    const answer = await peer.call("session/new", { cwd: ".", mcpServers: [] });
    expect(answer).toMatchObject({ error: { code: -32602, data: { path: "/cwd" } } });
  });

  test("works in version 2", async () => {
    let cwd: string | undefined;
    const diagnostics: Diagnostic[] = [];
    const agent = v2.createAgent({
      info,
      resolvePath: inProject,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      session: (setup) => {
        cwd = setup.cwd;
      },
      handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
    });
    const peer = createRawPeer((transport) => agent.connect(transport));
    await peer.call("initialize", { protocolVersion: 2, info, capabilities: {} });
    await peer.call("session/new", { cwd: "src", mcpServers: [] });
    expect(cwd).toBe("/project/src");
    expect(diagnostics).toMatchObject([{ type: "rule", rule: "CONV-02" }]);
  });
});
