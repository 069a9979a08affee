// What an agent is told of its own updates, and what becomes of those that cannot be sent.
import type { SessionUpdate } from "@acp/schema/v1";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import type { AgentSession } from "../../src/v1/agent-session.ts";
import type { AgentTurn } from "../../src/v1/agent-turn.ts";

const setup = { cwd: "/project", mcpServers: [] };
const title = (text: string): SessionUpdate => ({ sessionUpdate: "session_info_update", title: text });

interface Connected {
  readonly peer: RawPeer;
  readonly diagnostics: readonly Diagnostic[];
  /** The titles that `onUpdate` was told of. */
  readonly told: unknown[];
}

async function connect(handlers: object, onUpdate?: (update: SessionUpdate) => void): Promise<Connected> {
  const diagnostics: Diagnostic[] = [];
  const told: unknown[] = [];
  const agent = createAgent({
    info: { name: "test", version: "1.0.0" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    onUpdate: (update) => {
      told.push("title" in update ? update.title : update.sessionUpdate);
      onUpdate?.(update);
    },
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), ...handlers },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 1 });
  return { peer, diagnostics, told };
}

async function prompt(peer: RawPeer, sessionId: unknown): Promise<unknown> {
  const { result } = await peer.call("session/prompt", { sessionId, prompt: [] });
  return result;
}

const updatesOf = ({ received }: RawPeer): unknown[] =>
  received.filter(({ method }) => method === "session/update").map(({ params }) => params);

describe("onUpdate", () => {
  it("does not receive an update that could not be sent", async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const failures: string[] = [];
    const { peer, told } = await connect({
      "session/prompt": async (_params: unknown, { turn }: { turn: AgentTurn }) => {
        const failing = turn.update({ ...title("circular"), _meta: circular });
        failures.push(await failing.then(String, (error: unknown) => (error as Error).name));
        await turn.update(title("fine"));
        return { stopReason: "end_turn" };
      },
    });
    const { result } = await peer.call("session/new", setup);
    await prompt(peer, (result as { sessionId: string }).sessionId);
    expect(failures).toEqual(["UsageError"]);
    expect(told).toEqual(["fine"]);
  });

  it("may throw: its error is reported, and neither the update nor its session is lost", async () => {
    const { peer, diagnostics } = await connect(
      {
        "session/new": async (_params: unknown, { session }: { session: AgentSession }) => {
          await session.update(title("early"));
          return { sessionId: "s" };
        },
        "session/prompt": async (_params: unknown, { turn }: { turn: AgentTurn }) => {
          await turn.update(title("later"));
          return { stopReason: "end_turn" };
        },
      },
      () => {
        throw new Error("the disk is full");
      },
    );
    expect(await peer.call("session/new", setup)).toMatchObject({ result: { sessionId: "s" } });
    expect(await prompt(peer, "s")).toEqual({ stopReason: "end_turn" });
    expect(updatesOf(peer)).toMatchObject([{ update: title("early") }, { update: title("later") }]);
    expect(diagnostics).toMatchObject([
      { type: "handler-failed", method: "session/update", error: { message: "the disk is full" } },
      { type: "handler-failed", method: "session/update" },
    ]);
  });

  it("does not receive the updates that session/load replays, so that a history built from it does not grow (SESS-06)", async () => {
    const history = [title("one"), title("two")];
    const { peer, told } = await connect(
      {
        "session/load": async (_params: unknown, { session }: { session: AgentSession }) => {
          for (const update of history) await session.update(update);
        },
        "session/prompt": async (_params: unknown, { turn }: { turn: AgentTurn }) => {
          await turn.update(title("three"));
          return { stopReason: "end_turn" };
        },
      },
      (update) => void history.push(update),
    );
    await peer.call("session/load", { sessionId: "s", ...setup });
    expect(updatesOf(peer)).toHaveLength(2);
    expect(told).toEqual([]);
    await prompt(peer, "s");
    expect(told).toEqual(["three"]);
  });
});

it("reports an update that waited for session/new and could not be sent", async () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const { peer, diagnostics, told } = await connect({
    "session/new": async (_params: unknown, { session }: { session: AgentSession }) => {
      await session.update({ ...title("circular"), _meta: circular });
      return { sessionId: "s" };
    },
  });
  expect(await peer.call("session/new", setup)).toMatchObject({ result: { sessionId: "s" } });
  expect(updatesOf(peer)).toEqual([]);
  expect(told).toEqual([]);
  expect(diagnostics).toMatchObject([{ type: "unsendable", level: "error", method: "session/update" }]);
  expect(diagnostics[0]?.message).toMatch(/^A notification of session\/update could not be sent \(.*\): The params of/);
});
