// What a client tells of updates that wait to be iterated.
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createSessionState } from "../../src/state/v1/entry.ts";
import { connectRawAgent } from "../support/raw-agent.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";

const count = 10_000;

/** A client that loads a long history, which `watch` watches as soon as it can. */
async function load(watch: (session: ClientSession) => void) {
  const diagnostics: Diagnostic[] = [];
  const { peer, agent } = await connectRawAgent({ onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  const loading = agent.loadSession({ sessionId: "s", cwd: "/project" });
  const early = agent.session("s");
  if (early !== undefined) watch(early);
  const { id } = await peer.next(({ method }) => method === "session/load");
  const send = (text: string): void => {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
  };
  for (let index = 0; index < count; index++) send(String(index));
  peer.send({ jsonrpc: "2.0", id, result: {} });
  return { session: await loading, diagnostics, send, peer };
}

describe("a history that is loaded", () => {
  it("does not count as a backlog if it is shown and nobody iterates it", async () => {
    let shown = 0;
    const { session, diagnostics } = await load((early) => {
      createSessionState(early, { onEvent: ({ type }) => void (type === "update" && shown++) });
    });
    expect(shown).toBe(count);
    // It is kept all the same, for whoever opened the session.
    const { value } = await session.updates[Symbol.asyncIterator]().next();
    expect(value).toMatchObject({ content: { text: "0" } });
    expect(diagnostics).toEqual([]);
  });

  it("is reported for a slow loop", async () => {
    const { diagnostics } = await load((early) => void early.updates[Symbol.asyncIterator]());
    expect(diagnostics).toMatchObject([{ type: "backlog", queue: "updates", size: count, sessionId: "s" }]);
  });
});
