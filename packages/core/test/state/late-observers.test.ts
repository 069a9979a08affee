// What an observer that comes late knows of the session: the latest of what does not belong to a turn.
import { describe, expect, it } from "vitest";
import { answer, connectRawAgent } from "../support/raw-agent.ts";
import { createSessionState } from "../../src/state/v1/entry.ts";
import type { SessionEvent } from "../../src/v1/session-event.ts";

const update = (body: object): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: body },
});

const modes = { currentModeId: "ask", availableModes: ["ask", "code"].map((id) => ({ id, name: id })) };
const option = (currentValue: string): object => ({
  type: "select",
  id: "model",
  name: "Model",
  currentValue,
  options: ["fast", "deep"].map((value) => ({ value, name: value })),
});
const commands = [{ name: "plan", description: "Plans" }];

/** What agents send of a session, and not of a turn. */
const facts: readonly object[] = [
  { sessionUpdate: "available_commands_update", availableCommands: [] },
  { sessionUpdate: "available_commands_update", availableCommands: commands },
  { sessionUpdate: "usage_update", used: 1, size: 10 },
  { sessionUpdate: "usage_update", used: 2, size: 10, cost: { amount: 1, currency: "USD" } },
  { sessionUpdate: "session_info_update", title: "Title" },
  { sessionUpdate: "session_info_update", updatedAt: "2026-01-01T00:00:00Z" },
  { sessionUpdate: "current_mode_update", currentModeId: "code" },
  { sessionUpdate: "config_option_update", configOptions: [option("deep")] },
];

describe("a state created after another await", () => {
  it.each(["without a reader", "with a handler of updates", "while a loop reads updates"])(
    "has the latest information about the session, %s",
    async (reader) => {
      const { peer, agent } = await connectRawAgent(
        reader === "with a handler of updates" ? { handlers: { "session/update": () => {} } } : {},
      );
      const opening = agent.newSession({ cwd: "/project" });
      await answer(peer, "session/new", { result: { sessionId: "s", modes, configOptions: [option("fast")] } });
      const session = await opening;
      const updates = session.updates[Symbol.asyncIterator]();
      if (reader === "while a loop reads updates") void updates.next().catch(() => {});
      else await updates.return?.();
      for (const fact of facts) peer.send(update(fact));
      const setting = session.setMode("code");
      await answer(peer, "session/set_mode", { result: {} });
      await setting;
      await peer.settle();
      const { state } = createSessionState(session);
      expect(state).toMatchObject({
        commands,
        usage: { used: 2, cost: { amount: 1 } },
        info: { title: "Title", updatedAt: "2026-01-01T00:00:00Z" },
        modes: { currentModeId: "code" },
        configOptions: [{ currentValue: "deep" }],
      });
      expect(state.timeline.length).toBe(0);
    },
  );

  it("has no title if it was cleared", async () => {
    const { peer, agent } = await connectRawAgent({ handlers: { "session/update": () => {} } });
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { result: { sessionId: "s" } });
    const session = await opening;
    await peer.settle();
    peer.send(update({ sessionUpdate: "session_info_update", title: "Title", updatedAt: "2026-01-01T00:00:00Z" }));
    peer.send(update({ sessionUpdate: "session_info_update", title: null }));
    await peer.settle();
    expect(createSessionState(session).state.info).toEqual({ updatedAt: "2026-01-01T00:00:00Z" });
  });

  it("gets no event twice, even if created while another observer is notified", async () => {
    const { peer, agent } = await connectRawAgent({ handlers: { "session/update": () => {} } });
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { result: { sessionId: "s" } });
    const session = await opening;
    await peer.settle();
    const heard: SessionEvent[] = [];
    let isMade = false;
    session.observe(() => {
      if (isMade) return;
      isMade = true;
      session.observe((event) => void heard.push(event));
    });
    peer.send(update({ sessionUpdate: "usage_update", used: 1, size: 10 }));
    await peer.settle();
    expect(heard.filter(({ type }) => type === "update")).toHaveLength(1);
  });
});
