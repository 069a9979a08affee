// Changes of settings that could not be sent as usual: the client still ends up with the same as its agent.
import { describe, expect, it } from "vitest";
import { createSettings } from "../../src/kit/v1/entry.ts";
import { RequestError } from "../../src/base/errors.ts";
import type { AgentSession } from "../../src/v1/agent-session.ts";
import { connect } from "../../src/kit/v1/testing/connected.ts";

const definition = {
  modes: { currentModeId: "a", availableModes: ["a", "b"].map((id) => ({ id, name: id })) },
  configOptions: [
    {
      type: "select",
      id: "m",
      name: "M",
      currentValue: "a",
      options: ["a", "b"].map((id) => ({ value: id, name: id })),
    },
  ],
} as const;

describe("a change by a client that has cancelled its request", () => {
  it.each(["setMode", "setConfigOption"] as const)("is sent in full, by %s", async (method) => {
    let accept = (): void => {};
    const settings = createSettings(definition, {
      onChange: () => new Promise<void>((resolve) => (accept = resolve)),
    });
    const { session, turn } = await connect({ handlers: settings.handlers });
    const stop = new AbortController();
    const { signal } = stop;
    const setting =
      method === "setMode" ? session.setMode("b", { signal }) : session.setConfigOption("mode", "b", { signal });
    setting.catch(() => {});
    // Behind it on the wire.
    await turn(async () => {});
    stop.abort(new Error("given up"));
    await expect(setting).rejects.toThrow("given up");
    await turn(async () => {});
    accept();
    await turn(async () => {});
    expect(session.modes?.currentModeId).toBe("b");
    expect(session.configOptions?.find(({ id }) => id === "mode")?.currentValue).toBe("b");
  });
});

it("sends unsent settings, which waited for the session to reopen", async () => {
  const settings = createSettings(definition);
  let agentSession: AgentSession | undefined;
  let refused: unknown;
  const { agent, session, turn } = await connect({
    handlers: {
      ...settings.handlers,
      "session/load": async () => {
        refused = await settings.set(agentSession!, "mode", "b").catch((error: unknown) => error);
        throw RequestError.resourceNotFound("There is no history");
      },
    },
  });
  agentSession = await turn(async (running) => running.session as AgentSession);
  await expect(agent.loadSession({ sessionId: session.id, cwd: "/project" })).rejects.toThrow("no history");
  expect(String(refused)).toContain("the session is being opened again");
  expect([settings.value(agentSession, "mode"), session.modes?.currentModeId]).toEqual(["b", "a"]);
  await turn((running) => settings.set(running.session as AgentSession, "mode", "b"));
  expect(session.modes?.currentModeId).toBe("b");
  expect(session.configOptions?.find(({ id }) => id === "mode")?.currentValue).toBe("b");
});
