import type { AgentCapabilities } from "@acp/schema/v1";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { UsageError } from "../../src/base/errors.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import type { AgentSession } from "../../src/v1/agent-session.ts";
import type { AgentTurn } from "../../src/v1/agent-turn.ts";

interface Connected {
  readonly peer: RawPeer;
  readonly diagnostics: Diagnostic[];
  readonly sessionId: string;
}

interface Setup {
  /** Untyped, as handlers are in JavaScript. */
  readonly handlers?: object;
  readonly capabilities?: AgentCapabilities;
  readonly clientCapabilities?: object;
  /** What `session/new` answers beside the id. */
  readonly offers?: object;
}

/** An agent with an open session; its client is played by hand. */
async function connect({ handlers, capabilities, clientCapabilities, offers }: Setup = {}): Promise<Connected> {
  const diagnostics: Diagnostic[] = [];
  const agent = createAgent({
    info: { name: "test-agent", version: "1.0.0" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...(capabilities && { capabilities }),
    handlers: {
      "session/prompt": () => ({ stopReason: "end_turn" }),
      "session/new": (_params, { session }) => ({ sessionId: session.id, ...offers }),
      ...handlers,
    },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 1, clientCapabilities });
  const answer = await peer.call("session/new", { cwd: "/project", mcpServers: [] });
  const { sessionId = "" } = (answer["result"] ?? {}) as { sessionId?: string };
  return { peer, diagnostics, sessionId };
}

const prompt = (sessionId: string) => ({ sessionId, prompt: [{ type: "text", text: "Hello" }] });

/** What a prompt handler caught. */
async function caughtInTurn(
  act: (turn: AgentTurn) => Promise<unknown>,
  setup: Setup = {},
): Promise<[unknown, Connected]> {
  let caught: unknown;
  const connected = await connect({
    ...setup,
    handlers: {
      ...setup.handlers,
      "session/prompt": async (_params: unknown, { turn }: { turn: AgentTurn }) => {
        caught = await act(turn).catch((error: unknown) => error);
        return { stopReason: "end_turn" };
      },
    },
  });
  await connected.peer.call("session/prompt", prompt(connected.sessionId));
  return [caught, connected];
}

const stdio = { name: "tools", args: [], env: [] };

describe("the paths an agent receives", () => {
  const handlers = { "session/load": () => {}, "session/resume": () => {}, "session/list": () => ({ sessions: [] }) };

  it.each([
    ["session/new", { cwd: "project", mcpServers: [] }, "/cwd"],
    ["session/new", { cwd: "C:project", mcpServers: [] }, "/cwd"],
    ["session/new", { cwd: "~/project", mcpServers: [] }, "/cwd"],
    ["session/new", { cwd: "file:///project", mcpServers: [] }, "/cwd"],
    ["session/new", { cwd: "/a", additionalDirectories: ["/b", "c"], mcpServers: [] }, "/additionalDirectories/1"],
    ["session/load", { sessionId: "s", cwd: ".", mcpServers: [] }, "/cwd"],
    ["session/resume", { sessionId: "s", cwd: "" }, "/cwd"],
    ["session/list", { cwd: "./project" }, "/cwd"],
    ["session/new", { cwd: "/a", mcpServers: [{ ...stdio, command: "./server" }] }, "/mcpServers/0/command"],
  ])("are refused in %s where they are relative: %j (CONV-02)", async (method, params, path) => {
    const { peer } = await connect({ handlers });
    const error = { code: -32602, data: { path, reason: "expected an absolute path" } };
    expect(await peer.call(method, params)).toMatchObject({ error });
  });

  it.each(["/", "/project", "C:\\project", "c:/project", "\\\\server\\share"])(
    "are taken in the forms of POSIX and Windows: %s (CONV-02)",
    async (cwd) => {
      const { peer, diagnostics } = await connect({ handlers });
      expect(await peer.call("session/new", { cwd, mcpServers: [] })).toHaveProperty("result");
      expect(diagnostics).toEqual([]);
    },
  );

  it("may be the bare name of a program, with a diagnostic", async () => {
    const { peer, diagnostics } = await connect();
    const params = { cwd: "/project", mcpServers: [{ ...stdio, command: "npx" }] };
    expect(await peer.call("session/new", params)).toHaveProperty("result");
    expect(diagnostics).toMatchObject([{ type: "rule", rule: "MCP-07" }]);
  });
});

describe("an agent", () => {
  it.each([
    [{ mcpServers: [{ type: "http", name: "x", url: "https://example.com", headers: [] }] }, "MCP-04"],
    [{ mcpServers: [], additionalDirectories: ["/more"] }, "SESS-22"],
  ])("reports a session opened with a feature that it did not advertise, and opens it: %j", async (more, rule) => {
    const { peer, diagnostics } = await connect();
    expect(await peer.call("session/new", { cwd: "/project", ...more })).toHaveProperty("result");
    expect(diagnostics).toMatchObject([{ type: "rule", rule }]);
    const advertised = await connect({
      capabilities: { mcpCapabilities: { http: true }, sessionCapabilities: { additionalDirectories: {} } },
    });
    await advertised.peer.call("session/new", { cwd: "/project", ...more });
    expect(advertised.diagnostics).toEqual([]);
  });

  it("lists no session with a relative cwd (LIST-09)", async () => {
    const { peer, diagnostics } = await connect({
      handlers: { "session/list": () => ({ sessions: [{ sessionId: "s", cwd: "project" }] }) },
    });
    expect(await peer.call("session/list", {})).toMatchObject({ error: { code: -32603 } });
    expect(diagnostics).toMatchObject([{ type: "handler-failed", error: expect.any(UsageError) }]);
  });

  it.each([
    ["fs/read_text_file", { path: "x" }, "/path", "FS-07"],
    ["fs/read_text_file", { path: "/x", line: 0 }, "/line", "CONV-03"],
    ["fs/write_text_file", { path: "x", content: "" }, "/path", "FS-07"],
    ["terminal/create", { command: "ls", cwd: "src" }, "/cwd", "TERM-05"],
  ] as const)("sends no %s with %j, where %s is wrong (%s)", async (method, params, path, _rule) => {
    // Untyped: which params fit which method does not matter here.
    const send = (turn: AgentTurn): Promise<unknown> =>
      turn.session.client.request(method as "fs/read_text_file", params as never);
    const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
    const [caught, { peer }] = await caughtInTurn(send, { clientCapabilities });
    expect(caught).toMatchObject({ code: "usage", message: expect.stringContaining(path) });
    expect(caught).toMatchObject({ message: expect.stringMatching(/, got (0|"x"|"src") \(/) });
    expect(peer.received.filter((message) => message["method"] === method)).toEqual([]);
  });

  it("asks for permission with paths within the session's folder (TOOL-13)", async () => {
    const toolCall = { toolCallId: "c", locations: [{ path: "x", line: 0 }] };
    const ask = (turn: AgentTurn): Promise<unknown> =>
      turn.session.client.request("session/request_permission", { toolCall, options: [] });
    const asking = caughtInTurn((turn) => Promise.race([ask(turn), new Promise((resolve) => setTimeout(resolve, 20))]));
    const [, { peer, diagnostics }] = await asking;
    const asked = peer.received.find(({ method }) => method === "session/request_permission");
    expect(asked?.["params"]).toMatchObject({ toolCall: { toolCallId: "c", locations: [{ path: "/project/x" }] } });
    expect(JSON.stringify(asked)).not.toContain('"line"');
    const place = (name: string): object => ({ type: "rule", path: ["toolCall", "locations", 0, name] });
    expect(diagnostics).toMatchObject([place("line"), place("path")]);
  });

  it("sends no relative path to a session that is not open here: nothing is known of its folder", async () => {
    const { peer, sessionId } = await connect({
      handlers: {
        "session/prompt": async (_params: never, { client }: { client: { notify: Function } }) => {
          const update = { sessionUpdate: "tool_call", toolCallId: "c", title: "T", locations: [{ path: "x" }] };
          await client.notify("session/update", { sessionId: "another", update });
        },
      },
    });
    expect(await peer.call("session/prompt", prompt(sessionId))).toMatchObject({ error: { code: -32603 } });
    expect(peer.received.filter(({ method }) => method === "session/update")).toEqual([]);
  });

  it("sends no update through a session that has ended, but by its id", async () => {
    let session: AgentSession | undefined;
    const { peer, sessionId } = await connect({
      handlers: {
        "session/close": () => {},
        "session/new": (_params: unknown, context: { session: AgentSession }) => {
          session = context.session;
          return { sessionId: context.session.id };
        },
      },
    });
    await peer.call("session/close", { sessionId });
    const update = { sessionUpdate: "session_info_update", title: "late" } as const;
    await expect(session?.update(update)).rejects.toThrow(/the session has ended/);
    // By its id it may be one that the agent has opened in its own way.
    await session?.client.notify("session/update", { update });
    await peer.settle();
    expect(peer.received.filter(({ method }) => method === "session/update")).toMatchObject([
      { params: { sessionId } },
    ]);
  });
});

const modes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
};
const select = (currentValue: string, id = "model") => ({
  type: "select",
  id,
  name: "Model",
  currentValue,
  options: [{ value: "a", name: "A" }],
});
const grouped = {
  ...select("b", "effort"),
  options: [{ group: "g", name: "G", options: [{ value: "b", name: "B" }] }],
};
const toggle = { type: "boolean", id: "web", name: "Web", currentValue: true };

describe("the list of choices of an agent's session", () => {
  const offers = { modes, configOptions: [select("a"), grouped, toggle] };
  const handlers = {
    "session/set_mode": () => {},
    "session/set_config_option": () => ({ configOptions: offers.configOptions }),
  };
  const clientCapabilities = { session: { configOptions: { boolean: {} } } };

  it("limits the modes: another mode is answered -32602 (MODE-02)", async () => {
    const { peer, sessionId } = await connect({ offers, handlers });
    expect(await peer.call("session/set_mode", { sessionId, modeId: "code" })).toMatchObject({ result: {} });
    expect(await peer.call("session/set_mode", { sessionId, modeId: "dance" })).toMatchObject({
      error: { code: -32602, data: { path: "/modeId" } },
    });
  });

  it.each([
    [{ configId: "model", value: "a" }, undefined],
    [{ configId: "effort", value: "b" }, undefined],
    [{ configId: "web", type: "boolean", value: false }, undefined],
    [{ configId: "model", value: "z" }, "/value"],
    [{ configId: "effort", value: "g" }, "/value"],
    [{ configId: "model", type: "boolean", value: true }, "/value"],
    [{ configId: "web", value: "yes" }, "/value"],
    [{ configId: "other", value: "a" }, "/configId"],
  ])("limits the options: %j (CONF-13)", async (params, path) => {
    const { peer, sessionId } = await connect({ offers, handlers, clientCapabilities });
    const answer = await peer.call("session/set_config_option", { sessionId, ...params });
    if (path === undefined) expect(answer).toHaveProperty("result.configOptions");
    else expect(answer).toMatchObject({ error: { code: -32602, data: { path } } });
  });

  it("changes with answers and updates", async () => {
    const next = { ...select("n"), options: [{ value: "n", name: "N" }] };
    const { peer, sessionId } = await connect({
      offers,
      handlers: { ...handlers, "session/set_config_option": () => ({ configOptions: [next] }) },
    });
    await peer.call("session/set_config_option", { sessionId, configId: "model", value: "a" });
    const again = await peer.call("session/set_config_option", { sessionId, configId: "model", value: "a" });
    expect(again).toMatchObject({ error: { code: -32602 } });
  });

  it("has its current values among them, or is not sent (CONF-11)", async () => {
    const { peer, diagnostics } = await connect({ offers: { configOptions: [select("z")] } });
    expect(peer.received.at(-1)).toMatchObject({ error: { code: -32603 } });
    expect(diagnostics).toMatchObject([
      { type: "handler-failed", error: { message: expect.stringContaining("/configOptions/0/currentValue") } },
    ]);
    const [caught] = await caughtInTurn((turn) =>
      turn.update({ sessionUpdate: "config_option_update", configOptions: [select("z") as never] }),
    );
    expect(caught).toBeInstanceOf(UsageError);
  });

  it("includes the current mode, or the update is refused (MODE-05)", async () => {
    const mode = (currentModeId: string) => (turn: AgentTurn) =>
      turn.update({ sessionUpdate: "current_mode_update", currentModeId });
    expect((await caughtInTurn(mode("code"), { offers }))[0]).toBeUndefined();
    expect((await caughtInTurn(mode("dance"), { offers }))[0]).toBeInstanceOf(UsageError);
  });
});

describe("a question of an agent", () => {
  const clientCapabilities = { elicitation: { form: {}, url: {} } };
  const form = { mode: "form", message: "Where?", requestedSchema: { type: "object", properties: {} } };
  const url = { mode: "url", message: "Open", url: "https://example.com/", elicitationId: "e" };
  const ask = (turn: AgentTurn, params: object): Promise<unknown> =>
    turn.session.client.request("elicitation/create", params as never);

  it.each([{}, { sessionId: "s", requestId: 1 }])(
    "belongs to a session or to a request, not to %j (ELIC-05)",
    async (scope) => {
      const [caught, { peer }] = await caughtInTurn((turn) => ask(turn, { ...form, ...scope }), { clientCapabilities });
      expect(caught).toMatchObject({ code: "usage", message: expect.stringContaining("ELIC-05") });
      expect(peer.received.some(({ method }) => method === "elicitation/create")).toBe(false);
    },
  );

  it("has an id of its own until it is over, and only then again (ELIC-17, ELIC-20)", async () => {
    const outcomes: unknown[] = [];
    const { peer, sessionId, diagnostics } = await connect({
      clientCapabilities,
      handlers: {
        "session/prompt": async (_params: unknown, { turn }: { turn: AgentTurn }) => {
          const { client } = turn.session;
          const note = async (call: Promise<unknown>): Promise<void> => {
            outcomes.push(await call.catch((error: unknown) => (error as Error).message));
          };
          const first = ask(turn, { ...url, sessionId });
          await note(ask(turn, { ...url, sessionId }));
          await note(first);
          await note(client.notify("elicitation/complete", { elicitationId: "e" }));
          await note(client.notify("elicitation/complete", { elicitationId: "e" }));
          await note(ask(turn, { ...url, sessionId }));
          return { stopReason: "end_turn" };
        },
      },
    });
    const turn = peer.call("session/prompt", prompt(sessionId));
    for (const action of ["accept", "decline"]) {
      const { id } = await peer.next(({ method }) => method === "elicitation/create");
      peer.send({ jsonrpc: "2.0", id, result: { action } });
    }
    await turn;
    expect(outcomes).toMatchObject([
      expect.stringContaining("ELIC-17"),
      { action: "accept" },
      undefined,
      undefined,
      { action: "decline" },
    ]);
    // The second time it is over: it was left out.
    expect(peer.received.filter(({ method }) => method === "elicitation/complete")).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ type: "rule", rule: "ELIC-20" }]);
  });

  it.each(["decline", "cancel"])("has no content when the answer is %s (ELIC-14)", async (action) => {
    let answer: unknown;
    const { peer, sessionId } = await connect({
      clientCapabilities,
      handlers: {
        "session/prompt": async (_params: unknown, { turn }: { turn: AgentTurn }) => {
          answer = await ask(turn, { ...form, sessionId });
          return { stopReason: "end_turn" };
        },
      },
    });
    const turn = peer.call("session/prompt", prompt(sessionId));
    const { id } = await peer.next(({ method }) => method === "elicitation/create");
    peer.send({ jsonrpc: "2.0", id, result: { action, content: { secret: "x" } } });
    await turn;
    expect(answer).toEqual({ action, content: undefined });
  });
});
