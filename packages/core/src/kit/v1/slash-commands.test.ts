import { describe, expect, it } from "vitest";
import { defineCommands, parseCommand } from "./entry.ts";
import type { AgentSession } from "../../v1/agent-session.ts";
import type { AgentTurn } from "../../v1/agent-turn.ts";
import { connect } from "./testing/connected.ts";

const text = (content: string) => ({ type: "text", text: content }) as const;
const link = { type: "resource_link", uri: "file:///project/a", name: "a" } as const;

describe("parseCommand()", () => {
  it.each([
    ["/search TODO", { name: "search", input: "TODO" }],
    ["/search   a b\nc ", { name: "search", input: "a b\nc" }],
    ["/help", { name: "help", input: "" }],
    [" /help", { name: "help", input: "" }],
    ["/mcp:server.tool x", { name: "mcp:server.tool", input: "x" }],
    ["/naïve", { name: "naïve", input: "" }],
  ])("reads %j (CMD-03)", (prompt, command) => {
    expect(parseCommand([text(prompt)])).toEqual({ ...command, blocks: [] });
  });

  it.each(["search TODO", "", "/", "/ search", "/usr/bin/env is missing", "say /help"])(
    "takes %j for ordinary text",
    (prompt) => {
      expect(parseCommand([text(prompt)])).toBeUndefined();
    },
  );

  it("keeps the other blocks, and takes a prompt without text for ordinary (CMD-03)", () => {
    expect(parseCommand([text("/explain "), link, text("in short")])).toEqual({
      name: "explain",
      input: "in short",
      blocks: [link],
    });
    expect(parseCommand([link])).toBeUndefined();
  });
});

describe("defineCommands()", () => {
  const commands = defineCommands({
    search: { description: "Search", hint: "text", run: async (input, turn) => turn.message(`Searching ${input}`) },
    help: { description: "Explain", run: () => Promise.resolve() },
  });

  it("announces them after the session's answer, and again with another list (CMD-01, CMD-02)", async () => {
    const handlers = {
      "session/new": async (_: unknown, { session }: { session: AgentSession<unknown> }) => {
        await commands.announce(session);
        return { sessionId: session.id };
      },
    };
    const connected = await connect({ handlers });
    await connected.turn((_, { session }) => commands.announce(session, ["help"]));
    expect(connected.updates).toEqual([
      {
        sessionUpdate: "available_commands_update",
        availableCommands: [
          { name: "search", description: "Search", input: { hint: "text" } },
          { name: "help", description: "Explain" },
        ],
      },
      {
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name: "help", description: "Explain" }],
      },
    ]);
  });

  it("runs the command that a prompt names, and reports unknown names (CMD-03)", async () => {
    const connected = await connect();
    const run = async (prompt: string) => connected.turn((turn: AgentTurn) => commands.run([text(prompt)], turn));
    expect(await run("/search TODO")).toEqual({ kind: "command", name: "search", result: undefined });
    expect(connected.updates).toMatchObject([{ content: { text: "Searching TODO" } }]);
    expect(await run("/serach TODO")).toEqual({
      kind: "unknown",
      command: { name: "serach", input: "TODO", blocks: [] },
    });
    // A member that every object has is no command.
    expect(await run("/constructor")).toMatchObject({ kind: "unknown" });
    expect(await run("Search TODO")).toEqual({ kind: "text" });
  });

  it.each(["", "two words", "a/b", "/a"])("throws for the name %j", (name) => {
    expect(() => defineCommands({ [name]: { description: "x", run: () => {} } })).toThrow(
      /no name for a slash command/,
    );
  });

  it("throws where there is nothing to run", () => {
    // Untyped, as in JavaScript.
    const definitions = { test: { description: "x" } } as unknown as Parameters<typeof defineCommands>[0];
    expect(() => defineCommands(definitions)).toThrow(expect.objectContaining({ code: "usage" }));
  });
});
