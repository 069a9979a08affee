// What a turn asks of its client, and what its author leaves floating.
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import type { AgentTurnContext } from "../../src/v1/agent-handlers.ts";

type Prompt = (context: AgentTurnContext) => Promise<unknown>;

interface Connected {
  readonly peer: RawPeer;
  readonly diagnostics: readonly Diagnostic[];
  /** Sends a prompt, and resolves with its answer. */
  prompt(): Promise<Record<string, unknown>>;
}

async function connect(run: Prompt): Promise<Connected> {
  const diagnostics: Diagnostic[] = [];
  const agent = createAgent({
    info: { name: "test", version: "1.0.0" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    sessionId: () => "s",
    handlers: {
      "session/prompt": async (_params, context) => {
        await run(context);
        return { stopReason: "end_turn" };
      },
    },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  const clientCapabilities = { fs: { readTextFile: true }, terminal: true };
  await peer.call("initialize", { protocolVersion: 1, clientCapabilities });
  await peer.call("session/new", { cwd: "/project", mcpServers: [] });
  return { peer, diagnostics, prompt: () => peer.call("session/prompt", { sessionId: "s", prompt: [] }) };
}

const cancel = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } };
const isCall = (method: string) => (message: Record<string, unknown>) => message["method"] === method;
const textsOf = ({ received }: RawPeer): unknown[] =>
  received
    .filter(isCall("session/update"))
    .map(({ params }) => (params as { update: { content: { text: string } } }).update.content.text);

describe("a request of a turn to its client", () => {
  it("is abandoned a second after the turn was cancelled (CANC-05)", async () => {
    const { peer, prompt } = await connect(({ client }) => client.request("fs/read_text_file", { path: "/a" }));
    const answer = prompt();
    const { id } = await peer.next(isCall("fs/read_text_file"));
    const began = performance.now();
    peer.send(cancel);
    expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(peer.received.filter(isCall("$/cancel_request"))).toMatchObject([{ params: { requestId: id } }]);
  });

  it("may be answered until then, as by a client that had started to open a terminal", async () => {
    const seen: unknown[] = [];
    const { peer, prompt } = await connect(async ({ client, turn }) => {
      const { terminalId } = await client.request("terminal/create", { command: "true" });
      seen.push([terminalId, turn.signal.aborted]);
      // Cleaning up is not given up: it was asked for after the cancel.
      await client.request("terminal/release", { terminalId });
    });
    const answer = prompt();
    const { id } = await peer.next(isCall("terminal/create"));
    peer.send(cancel);
    peer.send({ jsonrpc: "2.0", id, result: { terminalId: "t" } });
    const released = await peer.next(isCall("terminal/release"));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    peer.send({ jsonrpc: "2.0", id: released["id"], result: {} });
    expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(seen).toEqual([["t", true]]);
    expect(peer.received.filter(isCall("$/cancel_request"))).toEqual([]);
  });

  it("differs from requests of its session, which outlive the turn", async () => {
    let watching: Promise<unknown> = Promise.resolve();
    const { peer, prompt } = await connect(async ({ session, client }) => {
      watching = session.client.request("terminal/wait_for_exit", { terminalId: "t" });
      await client.request("fs/read_text_file", { path: "/a" });
    });
    const answer = prompt();
    const { id } = await peer.next(isCall("terminal/wait_for_exit"));
    peer.send(cancel);
    await answer;
    peer.send({ jsonrpc: "2.0", id, result: { exitCode: 0 } });
    expect(await watching).toEqual({ exitCode: 0 });
  });

  it("is answered by the client itself where the user is asked (PERM-07)", async () => {
    const seen: unknown[] = [];
    const options = [{ optionId: "a", name: "A", kind: "allow_once" } as const];
    const { peer, prompt } = await connect(async ({ client }) => {
      seen.push(await client.request("session/request_permission", { toolCall: { toolCallId: "c" }, options }));
    });
    const answer = prompt();
    const { id } = await peer.next(isCall("session/request_permission"));
    peer.send(cancel);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(peer.received.filter(isCall("$/cancel_request"))).toEqual([]);
    peer.send({ jsonrpc: "2.0", id, result: { outcome: { outcome: "cancelled" } } });
    await answer;
    expect(seen).toEqual([{ outcome: { outcome: "cancelled" } }]);
  });
});

describe("text that comes bit by bit", () => {
  it("is not awaited once the turn is cancelled, and its source is notified (CANC-05)", async () => {
    let isTold = false;
    const thrown: unknown[] = [];
    async function* model(): AsyncGenerator<string> {
      try {
        for (let index = 0; ; index++) {
          yield `${index}`;
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      } finally {
        isTold = true;
      }
    }
    const { peer, prompt } = await connect(async ({ turn }) => {
      try {
        await turn.message(model());
      } catch (error) {
        thrown.push(error === turn.signal.reason);
        throw error;
      }
    });
    const answer = prompt();
    await peer.next(isCall("session/update"));
    peer.send(cancel);
    expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(thrown).toEqual([true]);
    await peer.settle();
    expect(isTold).toBe(true);
  });

  it("does not hold up a cancelled turn while the next bit does not come", async () => {
    const silent: AsyncIterable<string> = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
    const { peer, prompt } = await connect(({ turn }) => turn.thought(silent));
    const answer = prompt();
    await peer.settle();
    peer.send(cancel);
    expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
  });

  it("fails as its source does", async () => {
    const thrown: unknown[] = [];
    const { peer, prompt } = await connect(async ({ turn }) => {
      const source = (async function* () {
        yield "a";
        throw new Error("the model is gone");
      })();
      await turn.message(source).catch((error: unknown) => thrown.push(String(error)));
    });
    await prompt();
    expect(textsOf(peer)).toEqual(["a"]);
    expect(thrown).toEqual(["Error: the model is gone"]);
  });
});

describe("a request that nobody awaits", () => {
  it("is reported once, and ends no process, if the turn has been answered", async () => {
    const { peer, prompt, diagnostics } = await connect(async ({ turn }) => {
      setTimeout(() => {
        void turn.message("late");
        void turn.plan([]);
        void turn.toolCall({ title: "late" });
        void turn.thought((async function* () {})());
      }, 5);
    });
    await prompt();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(diagnostics).toMatchObject([{ type: "handler-failed", method: "session/prompt" }]);
    expect(diagnostics[0]?.message).toContain("The turn has been answered; use session.update");
    expect(textsOf(peer)).toEqual([]);
  });

  it("ends no process if the client has gone", async () => {
    let isSent = false;
    const { peer, prompt } = await connect(async ({ turn }) => {
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
      void turn.message("to nobody");
      isSent = true;
    });
    void prompt();
    await peer.settle();
    await peer.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isSent).toBe(true);
  });
});
