// What an observer hears that is made while another one is being told.
import { describe, expect, it } from "vitest";
import { createSessionState, joinText } from "../../src/state/v1/entry.ts";
import { answer, connectRawAgent } from "../support/raw-agent.ts";
import type { SessionEvent } from "../../src/v1/session-event.ts";

const chunk = (text: string): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
});

describe("a state that is made when there is something to show", () => {
  it.each(["while the session loads", "in a turn, later"])("has everything once, %s", async (when) => {
    const { peer, agent } = await connectRawAgent({});
    const loading = agent.loadSession({ sessionId: "s", cwd: "/project" });
    const session = agent.session("s")!;
    const loads = when === "while the session loads";
    if (!loads) {
      await answer(peer, "session/load", { result: {} });
      await loading;
      await peer.settle();
    }
    const states: ReturnType<typeof createSessionState>[] = [];
    session.observe(({ type }) => {
      if (type === "update" && states.length === 0) states.push(createSessionState(session));
    });
    for (const text of ["one ", "two ", "three"]) peer.send(chunk(text));
    if (loads) await answer(peer, "session/load", { result: {} });
    await loading;
    await peer.settle();
    const [item] = states[0]!.state.timeline.slice(0);
    expect(item?.type === "agent_message" && joinText(item.chunks)).toBe("one two three");
  });
});

describe("an observer that is made at an event", () => {
  it.each(["opened", "turn_started", "turn_cancelled", "closed"] satisfies SessionEvent["type"][])(
    "receives %s once",
    async (type) => {
      const { peer, agent } = await connectRawAgent({});
      const loading = agent.loadSession({ sessionId: "s", cwd: "/project" });
      const session = agent.session("s")!;
      const heard: string[] = [];
      let isMade = false;
      session.observe((event) => {
        if (event.type !== type || isMade) return;
        isMade = true;
        session.observe((inner) => heard.push(inner.type));
      });
      await answer(peer, "session/load", { result: {} });
      await loading;
      const turn = session.prompt("Hello");
      turn.cancel();
      await answer(peer, "session/prompt", { result: { stopReason: "cancelled" } });
      await turn.response;
      const closing = session.close();
      await answer(peer, "session/close", { result: {} });
      await closing;
      expect(heard.filter((one) => one === type)).toEqual([type]);
      expect(heard.at(-1)).toBe("closed");
    },
  );
});
