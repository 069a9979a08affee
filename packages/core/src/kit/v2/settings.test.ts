// Config options and commands of an agent of version 2.
import { describe, expect, it } from "vitest";
import { createSettings, defineCommands, parseCommand, type SettingChange, text } from "./entry.ts";
import type { AgentSessionContext } from "../../v2/agent-handlers.ts";
import { connectWire } from "../../../test/support/v2-wire.ts";
import { connect } from "./testing/connected.ts";

const mode = {
  type: "select",
  configId: "mode",
  category: "mode",
  name: "Mode",
  currentValue: "ask",
  options: [
    { value: "ask", name: "Ask" },
    { value: "code", name: "Code" },
  ],
} as const;
const model = {
  type: "select",
  configId: "model",
  name: "Model",
  currentValue: "fast",
  options: [
    { groupId: "a", name: "A", options: [{ value: "fast", name: "Fast" }] },
    { groupId: "b", name: "B", options: [{ value: "deep", name: "Deep" }] },
  ],
} as const;
const web = { type: "boolean", configId: "web", name: "Web", currentValue: true } as const;
const configOptions = [mode, model, web] as const;

const values = (options: readonly object[] | null | undefined): unknown =>
  options?.map((option) => {
    const { configId, currentValue } = option as { configId?: string; currentValue?: unknown };
    return `${configId} ${String(currentValue)}`;
  });

describe("createSettings()", () => {
  it("sends the options in the answer of session/new, and accepts a client's choice", async () => {
    const changes: SettingChange[] = [];
    const settings = createSettings({ configOptions }, { onChange: (_, change) => void changes.push(change) });
    const { session, turn, updates } = await connect({ handlers: settings.handlers });
    expect(session.configOptions).toEqual(configOptions);
    expect(values(await session.setConfigOption("model", "deep"))).toEqual(["mode ask", "model deep", "web true"]);
    await session.setConfigOption("web", false);
    const chosen = await turn(({ session: open }) => Promise.resolve(settings.values(open)));
    expect(chosen).toEqual({ mode: "ask", model: "deep", web: false });
    expect(changes).toEqual([
      { configId: "model", value: "deep", by: "client" },
      { configId: "web", value: false, by: "client" },
    ]);
    expect(updates).toEqual([]);
  });

  it("rejects a value that was not offered, from either side", async () => {
    const settings = createSettings({ configOptions });
    const { session, turn } = await connect({ handlers: settings.handlers });
    const params = { configId: "model", type: "id", value: "slow" } as const;
    await expect(session.agent.request("session/set_config_option", params)).rejects.toThrow();
    await turn(async ({ session: open }) => {
      await expect(settings.set(open, "model", "slow" as "deep")).rejects.toThrow(/offered: "fast", "deep"/);
      expect(() => settings.value(open, "sound" as "web")).toThrow(/no config option 'sound'/);
    });
  });

  it("refuses a value of a kind that it does not know", async () => {
    const settings = createSettings({ configOptions });
    const wire = await connectWire({ ...settings.handlers, "session/prompt": () => ({ stopReason: "end_turn" }) });
    const choose = (value: object): Promise<object> =>
      wire.peer.call("session/set_config_option", { sessionId: wire.sessionId, configId: "web", ...value });
    expect(await choose({ type: "_maybe", value: "maybe" })).toMatchObject({ error: { code: -32602 } });
    expect(await choose({ type: "boolean", value: false })).toMatchObject({
      result: { configOptions: [mode, model, { ...web, currentValue: false }] },
    });
  });

  it("sends the agent's changes, once", async () => {
    const settings = createSettings({ configOptions });
    const { turn, updates } = await connect({ handlers: settings.handlers });
    await turn(async ({ session }) => {
      await settings.set(session, "mode", "code");
      await settings.set(session, "mode", "code");
      await settings.replace(session, [mode, { ...web, currentValue: false }]);
    });
    const sent = updates.map((update) => "configOptions" in update && values(update.configOptions));
    expect(sent).toEqual([
      ["mode code", "model fast", "web true"],
      ["mode ask", "web false"],
    ]);
  });

  it("lets a listener refuse a change, and keeps the earlier value", async () => {
    const settings = createSettings({ configOptions }, { onChange: () => Promise.reject(new Error("Disk full")) });
    const { session, turn } = await connect({ handlers: settings.handlers });
    await expect(session.setConfigOption("web", false)).rejects.toMatchObject({ wire: { code: -32603 } });
    expect(await turn(({ session: open }) => Promise.resolve([settings.value(open, "web")]))).toEqual([true]);
  });

  it("continues with saved values, but for those that cannot be chosen any more", async () => {
    const settings = createSettings({ configOptions });
    const { agent } = await connect({
      handlers: {
        ...settings.handlers,
        "session/resume": (_: unknown, { session }: AgentSessionContext) =>
          settings.open(session, { mode: "code", model: "gone" as "fast" }),
      },
    });
    const session = await agent.resumeSession({ sessionId: "old", cwd: "/project" });
    expect(values(session.configOptions)).toEqual(["mode code", "model fast", "web true"]);
  });

  it("refuses a definition that says no value, and a category of nobody's", () => {
    const wrong = { ...model, currentValue: "slow" };
    expect(() => createSettings({ configOptions: [wrong] })).toThrow(/configOptions.*offered: "fast", "deep"/);
    expect(() => createSettings({ configOptions: [{ ...web, category: "colour" }] })).toThrow(
      /'colour' is no category/,
    );
  });
});

describe("defineCommands()", () => {
  const commands = defineCommands({
    search: {
      description: "Search the project",
      hint: "text",
      run: async (input, turn) => {
        await turn.message(`Searching ${input}`);
        return input.length;
      },
    },
    help: { description: "Help", run: () => 0 },
  });

  it("announces commands in the form of version 2, all or some, and in the answer of session/new", async () => {
    const { turn, updates, session } = await connect({
      handlers: {
        "session/new": (_: unknown, { session: open }: AgentSessionContext) => ({
          sessionId: open.id,
          availableCommands: [...commands.available],
        }),
      },
    });
    const search = {
      type: "command",
      name: "search",
      description: "Search the project",
      input: { type: "text", hint: "text" },
    };
    const help = { type: "command", name: "help", description: "Help" };
    expect(session.availableCommands).toEqual([search, help]);
    await turn(async ({ session: open }) => {
      await commands.announce(open, ["help"]);
      await commands.announce(open);
    });
    expect(updates.map((update) => "availableCommands" in update && update.availableCommands)).toEqual([
      [help],
      [search, help],
    ]);
  });

  it("runs the one that a prompt starts with", async () => {
    const { turn, updates } = await connect();
    const runs = await turn(async (agentTurn) => [
      await commands.run([text("/search all of it")], agentTurn),
      await commands.run([text("/find it")], agentTurn),
      await commands.run([text("Find it")], agentTurn),
    ]);
    expect(runs).toEqual([
      { kind: "command", name: "search", result: 9 },
      { kind: "unknown", command: { name: "find", input: "it", blocks: [] } },
      { kind: "text" },
    ]);
    expect(updates).toMatchObject([{ content: { text: "Searching all of it" } }]);
    expect(parseCommand([text("/help")])).toEqual({ name: "help", input: "", blocks: [] });
  });
});
