import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { type Connected, connectRawAgent } from "../support/raw-agent.ts";

const toolCall = { toolCallId: "t" };
const options = [{ optionId: "a", name: "A", kind: "allow_once" }];

interface Run extends Connected {
  readonly asked: string[];
  readonly diagnostics: Diagnostic[];
  ask(sessionId: string): Promise<Record<string, unknown>>;
}

/** A client whose user is away. */
async function connect(): Promise<Run> {
  const [asked, diagnostics]: [string[], Diagnostic[]] = [[], []];
  const connected = await connectRawAgent({
    onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
    handlers: {
      "session/request_permission": ({ sessionId }) => {
        asked.push(sessionId);
        return new Promise(() => {});
      },
    },
  });
  const ask: Run["ask"] = (sessionId) =>
    connected.peer.call("session/request_permission", { sessionId, toolCall, options });
  return { ...connected, asked, diagnostics, ask };
}

describe("sessions that an agent asks something for before they are open", () => {
  it("are a thousand at most, of which each may open", async () => {
    const { peer, agent, asked, diagnostics, ask } = await connect();
    const opening = agent.newSession({ cwd: "/project" });
    const { id } = await peer.next(({ method }) => method === "session/new");
    const ids = Array.from({ length: 1000 }, (_, index) => `s${index}`);
    const answers = ids.map(ask);
    // Once more for one of them, which is no other session.
    void ask("s0");
    await peer.settle();
    expect([asked.length, diagnostics]).toEqual([1001, []]);

    expect(await ask("one more")).toMatchObject({ error: { code: -32002 } });
    expect(diagnostics).toMatchObject([
      { type: "invalid-message", method: "session/request_permission", path: ["sessionId"] },
    ]);
    expect(diagnostics[0]).toHaveProperty("reason", expect.stringContaining("not open yet: 1000"));

    // What it tells before its answer is not counted.
    const title = { sessionUpdate: "session_info_update", title: "Early" };
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s7", update: title } });
    peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s7" } });
    const session = await opening;
    // Of those that did not open, 64 are sessions of the agent's own, in which the user is still asked.
    const over = answers.slice(65);
    for (const answer of await Promise.all(over)) {
      expect(answer).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    }
    expect(over).toHaveLength(935);
    const unclaimed = diagnostics.filter(({ type }) => type === "unclaimed-session");
    expect(unclaimed.map((diagnostic) => "sessionId" in diagnostic && diagnostic.sessionId)).toEqual(
      ids.slice(0, 66).filter((_, index) => index !== 7),
    );
    expect(peer.received.filter(({ result }) => result !== undefined)).toHaveLength(935);
    expect([session.id, session.signal.aborted]).toEqual(["s7", false]);

    // The rest is gone, and there is room for others.
    void agent.newSession({ cwd: "/project" }).catch(() => {});
    await peer.next(({ method }) => method === "session/new");
    const next = ask("one more");
    await peer.settle();
    expect(asked.at(-1)).toBe("one more");
    await agent.close();
    expect(await next).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
  });

  it("have ids of a million characters together", async () => {
    const { peer, agent, asked, ask } = await connect();
    void agent.newSession({ cwd: "/project" }).catch(() => {});
    await peer.next(({ method }) => method === "session/new");
    void ask("a".repeat(1_000_000));
    expect(await ask("b".repeat(100_000))).toMatchObject({ error: { code: -32002 } });
    void ask("c");
    await peer.settle();
    expect(asked.map((sessionId) => sessionId.length)).toEqual([1_000_000, 1]);
    await agent.close();
  });
});
