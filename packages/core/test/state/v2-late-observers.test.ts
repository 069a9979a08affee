// What an observer of version 2 that comes late knows: the latest of what does not belong to a turn.
import { describe, expect, it } from "vitest";
import { openRawSession } from "../support/raw-agent-v2.ts";
import { createSessionState } from "../../src/state/v2/entry.ts";

const commands = [{ type: "command", name: "plan", description: "Plans" }];
const option = {
  type: "select",
  configId: "model",
  name: "Model",
  currentValue: "deep",
  options: [{ value: "deep", name: "Deep" }],
};

describe("a state created after another await", () => {
  it("has the latest information about the session, merged like updates", async () => {
    const { session, peer, update } = await openRawSession({ handlers: { "session/update": () => {} } });
    await peer.settle();
    update({ sessionUpdate: "available_commands_update", availableCommands: commands });
    update({ sessionUpdate: "config_option_update", configOptions: [option] });
    update({ sessionUpdate: "usage_update", used: 1, size: 10, cost: { amount: 1, currency: "USD" }, _meta: { a: 1 } });
    update({ sessionUpdate: "usage_update", used: 2, size: 10 });
    update({ sessionUpdate: "session_info_update", title: "Title", _meta: { a: 1, b: 1 } });
    update({ sessionUpdate: "session_info_update", updatedAt: "2026-01-01T00:00:00Z", _meta: { b: null, c: 1 } });
    update({ sessionUpdate: "state_update", state: "running" });
    await peer.settle();
    const { state } = createSessionState(session);
    expect(state).toMatchObject({ commands: [{ name: "plan" }], configOptions: [{ currentValue: "deep" }] });
    expect(state.usage).toEqual({ used: 2, size: 10, cost: { amount: 1, currency: "USD" } });
    expect(state.info).toEqual({ title: "Title", updatedAt: "2026-01-01T00:00:00Z", _meta: { a: 1, c: 1 } });
    expect(state.foreground.state).toBe("running");
    expect(state.timeline.length).toBe(0);
  });
});
