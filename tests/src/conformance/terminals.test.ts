import { terminals } from "@acp/node";
import { runCommand } from "@acp/core/agent";
import { describe, expect, test } from "vitest";

import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";
import { isAlive } from "../support/is-alive.ts";
import type { Message } from "./harness/raw-peer.ts";
import { referenceAgent, temporaryDirectory } from "./harness/reference.ts";

const done = { stopReason: "end_turn" } as const;
const methods = ["create", "output", "wait_for_exit", "kill", "release"].map((name) => `terminal/${name}` as const);
const answers = {
  "terminal/create": { terminalId: "terminal-1" },
  "terminal/output": { output: "", truncated: false },
  "terminal/wait_for_exit": { exitCode: 0 },
  "terminal/kill": {},
  "terminal/release": {},
};

/** A client with real terminals, and a way to call it as its agent. */
async function realTerminals(): Promise<{
  readonly cwd: string;
  call(method: string, params: object): Promise<Message>;
  create(script: string, more?: object): Promise<string>;
}> {
  const cwd = temporaryDirectory();
  const { peer, agent } = await rawAgent(clientWith({ ...terminals() }));
  const { id: sessionId } = await agent.newSession({ cwd });
  const call = (method: string, params: object): Promise<Message> =>
    peer.call(`terminal/${method}`, { sessionId, ...params });
  return {
    cwd,
    call,
    create: async (script, more = {}) => {
      const created = await call("create", { command: process.execPath, args: ["-e", script], ...more });
      return created.result.terminalId;
    },
  };
}

describe("an agent", () => {
  test.each([
    [true, [{ params: { command: "node", args: ["--version"] } }]],
    [false, []],
  ])("TERM-01: looks whether there are terminals, %j, before it runs a command in one", async (terminal, created) => {
    const { peer } = referenceAgent();
    await peer.initialize({ terminal });
    peer.answerAlways(answers);
    await peer.prompt(await peer.newSession({ cwd: temporaryDirectory() }), "run node --version");
    expect(peer.calls("terminal/create")).toMatchObject(created);
    // In one of its own, if need be.
    expect(peer.updates.filter(({ toolCallId }) => toolCallId !== undefined).at(-1)).toMatchObject({
      status: "completed",
    });
  });

  test.each([{}, { terminal: false }, { terminal: null }])(
    "TERM-02, CHK-02: calls no terminal method for a client that advertised %j",
    async (capabilities) => {
      let refused = 0;
      const peer = await rawClient(
        agentThat(async (_, { client }) => {
          const terminal = { terminalId: "t" };
          const calls = [
            client.request("terminal/create", { command: "true" }),
            client.request("terminal/output", terminal),
            client.request("terminal/wait_for_exit", terminal),
            client.request("terminal/kill", terminal),
            client.request("terminal/release", terminal),
          ];
          for (const { status } of await Promise.allSettled(calls)) if (status === "rejected") refused += 1;
          return done;
        }),
      );
      await peer.prompt(await peer.open(capabilities));
      expect([peer.received.filter(({ method }) => method?.startsWith("terminal/")), refused]).toEqual([[], 5]);
    },
  );

  test("TERM-05: does not create a terminal in a directory that is not absolute", async () => {
    const peer = await rawClient(
      agentThat(async (_, { client }) => {
        await client.request("terminal/create", { command: "true", cwd: "src" }).catch(() => {});
        const env = [{ name: "A", value: "1" }];
        await client.request("terminal/create", { command: "true", cwd: "/project", env });
        return done;
      }),
    );
    peer.answerAlways(answers);
    await peer.prompt(await peer.open({ terminal: true }));
    expect(peer.calls("terminal/create").map(({ params }) => [params.cwd, params.env])).toEqual([
      ["/project", [{ name: "A", value: "1" }]],
    ]);
  });

  test.each(["run node --version", "run node -e process.exit(1)"])(
    "TERM-08: releases the terminal of %s before its turn ends",
    async (text) => {
      const { peer } = referenceAgent();
      await peer.initialize({ terminal: true });
      peer.answerAlways(answers);
      await peer.prompt(await peer.newSession({ cwd: temporaryDirectory() }), text);
      expect(peer.calls("terminal/release")).toMatchObject([{ params: { terminalId: "terminal-1" } }]);
    },
  );

  test("TERM-08, TERM-14: kills, reads and releases a command that takes too long", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await runCommand(turn, { command: "sleep", args: ["60"], timeout: 20 });
        return done;
      }),
    );
    let killed = false;
    const { "terminal/wait_for_exit": _never, ...others } = answers;
    peer.answerAlways({
      ...others,
      "terminal/kill": () => {
        killed = true;
        return {};
      },
    });
    const prompt = peer.startPrompt(await peer.open({ terminal: true }));
    const waiting = await peer.next("terminal/wait_for_exit");
    await peer.next("terminal/kill");
    peer.reply(waiting, { signal: "SIGTERM" });
    await peer.answerTo(prompt);
    expect(killed).toBe(true);
    const order = peer.received.map(({ method }) => method).filter((method) => method?.startsWith("terminal/"));
    expect(order[0]).toBe("terminal/create");
    expect(order.indexOf("terminal/output")).toBeGreaterThan(order.indexOf("terminal/kill"));
    expect(order.at(-1)).toBe("terminal/release");
  });
});

describe("a client", () => {
  test("TERM-03: has all five methods, or cannot be made", async () => {
    const { peer } = await rawAgent(clientWith({ ...terminals() }));
    expect(peer.received[0]?.params.clientCapabilities.terminal).toBe(true);
    for (const method of methods) {
      expect((await peer.call(method, {})).error?.code).toBe(-32602);
    }
    const { "terminal/kill": _without, ...four } = terminals();
    expect(() => clientWith(four)).toThrow(/terminal\/kill/u);
  });

  test("TERM-04, TERM-09: answers at once, and reports no exit while the command runs", async () => {
    const { call, create } = await realTerminals();
    const terminalId = await create("console.log('started'); setInterval(() => {}, 1000)");
    let seen: Message["result"];
    do ({ result: seen } = await call("output", { terminalId }));
    while (seen.output === "");
    expect([seen.output, seen.truncated, seen.exitStatus ?? null]).toEqual(["started\n", false, null]);
    await call("kill", { terminalId });
    await call("wait_for_exit", { terminalId });
    expect((await call("output", { terminalId })).result.exitStatus).toMatchObject({ signal: expect.any(String) });
  });

  test("TERM-05: refuses a directory that is not absolute, and sets variables by name and value", async () => {
    const { call, create } = await realTerminals();
    expect((await call("create", { command: "true", cwd: "src" })).error?.code).toBe(-32602);
    const env = [{ name: "OF_THE_TEST", value: "set" }];
    const terminalId = await create("console.log(process.env.OF_THE_TEST)", { env });
    await call("wait_for_exit", { terminalId });
    expect((await call("output", { terminalId })).result.output).toBe("set\n");
  });

  test("TERM-06, TERM-07: keeps the end of the output within the limit, cut between characters", async () => {
    const { call, create } = await realTerminals();
    const terminalId = await create("process.stdout.write('ab' + 'ä'.repeat(50))", { outputByteLimit: 11 });
    await call("wait_for_exit", { terminalId });
    // Eleven bytes would cut the sixth character from the end in two.
    expect((await call("output", { terminalId })).result).toMatchObject({ output: "äääää", truncated: true });
  });

  test.each([
    ["process.exit(3)", { exitCode: 3, signal: null }],
    ["process.kill(process.pid, 'SIGKILL')", { exitCode: null, signal: "SIGKILL" }],
  ])("TERM-10: answers how %s has ended once it has", async (script, expected) => {
    const { call, create } = await realTerminals();
    expect((await call("wait_for_exit", { terminalId: await create(script) })).result).toEqual(expected);
  });

  test("TERM-11: keeps a terminal readable whose command it has killed", async () => {
    const { call, create } = await realTerminals();
    const terminalId = await create("setInterval(() => {}, 1000)");
    expect((await call("kill", { terminalId })).result).toEqual({});
    expect((await call("wait_for_exit", { terminalId })).result.signal).toEqual(expect.any(String));
    expect((await call("output", { terminalId })).result.truncated).toBe(false);
  });

  test("TERM-12: ends the command and forgets the id of a terminal that is released", async () => {
    const { call, create } = await realTerminals();
    const terminalId = await create("console.log(process.pid); setInterval(() => {}, 1000)");
    let pid = 0;
    while (pid === 0) pid = Number((await call("output", { terminalId })).result.output);
    const waiting = call("wait_for_exit", { terminalId });
    expect((await call("release", { terminalId })).result).toEqual({});
    expect((await waiting).result.signal).toEqual(expect.any(String));
    expect(isAlive(pid)).toBe(false);
    for (const method of ["output", "wait_for_exit", "kill"]) {
      expect((await call(method, { terminalId })).error?.code).toBe(-32002);
    }
  });

  test("answers -32800, and reports no failure, if the session ends while the command starts", async () => {
    const initialize = { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { close: {} } } };
    const { peer, agent, diagnostics } = await rawAgent(clientWith({ ...terminals() }), { initialize });
    const session = await agent.newSession({ cwd: temporaryDirectory() });
    const closing = session.close();
    const { id } = await peer.next("session/close");
    const params = { sessionId: session.id, command: process.execPath, args: ["--version"] };
    const messages = [
      { jsonrpc: "2.0", id: "create", method: "terminal/create", params },
      { jsonrpc: "2.0", id, result: {} },
    ];
    // In one piece: the command has no time to start.
    peer.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
    await closing;
    expect((await peer.answerTo("create")).error).toEqual({ code: -32800, message: "The session has ended" });
    expect(diagnostics).toEqual([]);
  });
});
