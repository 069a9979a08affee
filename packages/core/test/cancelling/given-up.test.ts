// What a handler has asked the client for and the client has given up: no failure of the handler.
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { runCommand } from "../../src/kit/v1/entry.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import type { AgentTurnContext } from "../../src/v1/agent-handlers.ts";

interface Connected {
  readonly peer: RawPeer;
  /** What the author was told of handlers that failed. */
  failures(): readonly string[];
  /** Sends a prompt, and resolves once its handler has asked for a file. */
  ask(): Promise<unknown>;
  /** Resolves when the handler has run. */
  readonly done: Promise<void>;
}

async function connect(run: (context: AgentTurnContext) => Promise<unknown>): Promise<Connected> {
  const diagnostics: Diagnostic[] = [];
  let end = (): void => {};
  const done = new Promise<void>((resolve) => (end = resolve));
  const agent = createAgent({
    info: { name: "test", version: "1.0.0" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    sessionId: () => "s",
    handlers: {
      "session/prompt": async (_params, context) => {
        try {
          await run(context);
        } finally {
          end();
        }
        return { stopReason: "end_turn" };
      },
    },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  const clientCapabilities = { fs: { readTextFile: true }, terminal: true };
  await peer.call("initialize", { protocolVersion: 1, clientCapabilities });
  await peer.call("session/new", { cwd: "/project", mcpServers: [] });
  return {
    peer,
    done,
    failures: () => diagnostics.flatMap(({ type, message }) => (type === "handler-failed" ? [message] : [])),
    ask: async () => {
      peer.send({ jsonrpc: "2.0", id: "p", method: "session/prompt", params: { sessionId: "s", prompt: [] } });
      const { id } = await peer.next(({ method }) => method === "fs/read_text_file");
      return id;
    },
  };
}

const readFile = ({ client }: AgentTurnContext): Promise<unknown> =>
  client.request("fs/read_text_file", { path: "/a" });
const cancelled = { code: -32800, message: "Request cancelled" };
const cancel = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } };
const isAnswer = ({ id }: Record<string, unknown>): boolean => id === "p";

describe("a pending request of a handler", () => {
  it("causes no failure if the client cancels it before it leaves", async () => {
    const { peer, ask, done, failures } = await connect(readFile);
    peer.send({ jsonrpc: "2.0", id: await ask(), error: cancelled });
    expect(await peer.next(isAnswer)).toMatchObject({ error: { code: -32800 } });
    await done;
    await peer.close();
    expect(failures()).toEqual([]);
  });

  it("causes no failure if the client cancels it with the turn", async () => {
    const { peer, ask, failures } = await connect(readFile);
    const id = await ask();
    peer.send(cancel);
    peer.send({ jsonrpc: "2.0", id, error: cancelled });
    expect(await peer.next(isAnswer)).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(failures()).toEqual([]);
  });

  it.each(["with a turn that runs", "with a turn that was cancelled"])(
    "causes no failure if the client leaves %s",
    async (how) => {
      const { peer, ask, done, failures } = await connect(readFile);
      await ask();
      if (how.endsWith("cancelled")) peer.send(cancel);
      await peer.settle();
      await peer.close();
      await done;
      await peer.settle();
      expect(failures()).toEqual([]);
    },
  );

  it("does not count as a failed command when the client closes while one runs", async () => {
    const { peer, done, failures } = await connect(({ turn }) => runCommand(turn, { command: "make" }));
    peer.send({ jsonrpc: "2.0", id: "p", method: "session/prompt", params: { sessionId: "s", prompt: [] } });
    const creating = await peer.next(({ method }) => method === "terminal/create");
    peer.send({ jsonrpc: "2.0", id: creating["id"], result: { terminalId: "t" } });
    const { id } = await peer.next(({ method }) => method === "terminal/wait_for_exit");
    peer.send({ jsonrpc: "2.0", id, error: cancelled });
    await peer.close();
    await done;
    await peer.settle();
    expect(failures()).toEqual([]);
  });

  it("is reported as a failure with any other answer", async () => {
    const { peer, ask, failures } = await connect(readFile);
    peer.send({ jsonrpc: "2.0", id: await ask(), error: { code: -32603, message: "No disk" } });
    expect(await peer.next(isAnswer)).toMatchObject({ error: { code: -32603 } });
    expect(failures()).toEqual([expect.stringContaining("No disk")]);
  });
});
