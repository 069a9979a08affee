import { defineCommands } from "@acp/core/agent";
import { createAgent } from "@acp/core";
import { createSessionState } from "@acp/core/state";
import { describe, expect, test } from "vitest";

import { contentBlocks } from "../support/samples.ts";
import { rawAgent, rawClient } from "./harness/connect.ts";
import { clientWith } from "./harness/definitions.ts";

const done = { stopReason: "end_turn" } as const;
const link = contentBlocks["resource_link"] as object;

describe("an agent", () => {
  test("CMD-01, CMD-02: advertises its commands once a session is open and again later, with name, description and hint", async () => {
    const commands = defineCommands({
      search: { description: "Look for a text", hint: "text", run: () => {} },
      help: { description: "Help", run: () => {} },
    });
    const peer = await rawClient(
      createAgent({
        info: { name: "agent", version: "1.0.0" },
        handlers: {
          "session/new": async (_, { session }) => {
            await commands.announce(session, ["search"]);
            return { sessionId: session.id };
          },
          "session/prompt": async (_, { session }) => {
            await commands.announce(session);
            return done;
          },
        },
      }),
    );
    const sessionId = await peer.open();
    const told = await peer.next("session/update");
    // Not before the client knows of which session they are.
    expect(peer.received.indexOf(told)).toBe(peer.received.findIndex(({ result }) => result?.sessionId) + 1);
    await peer.prompt(sessionId);
    const first = { name: "search", description: "Look for a text", input: { hint: "text" } };
    expect(peer.updates).toEqual([
      { sessionUpdate: "available_commands_update", availableCommands: [first] },
      {
        sessionUpdate: "available_commands_update",
        availableCommands: [first, { name: "help", description: "Help" }],
      },
    ]);
  });

  test("CMD-03: finds a command after the slash of a prompt's text, and its other content", async () => {
    const ran: unknown[] = [];
    const commands = defineCommands({
      search: { description: "Look", run: (input, _turn, { blocks }) => void ran.push(input, blocks) },
    });
    const peer = await rawClient(
      createAgent({
        info: { name: "agent", version: "1.0.0" },
        handlers: {
          "session/prompt": async ({ prompt }, { turn }) => {
            await commands.run(prompt, turn);
            return done;
          },
        },
      }),
    );
    await peer.prompt(await peer.open(), [{ type: "text", text: "/search a needle" }, link]);
    expect(ran).toEqual(["a needle", [link]]);
  });
});

describe("a client", () => {
  test("CMD-03, CMD-04: sends a command as the text of a prompt, with its other content, and has the latest list", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { "session/prompt": done });
    const session = await agent.newSession({ cwd: "/project" });
    const store = createSessionState(session);
    for (const names of [["search", "help"], ["find"]]) {
      const availableCommands = names.map((name) => ({ name, description: "D" }));
      const update = { sessionUpdate: "available_commands_update", availableCommands };
      peer.notify("session/update", { sessionId: session.id, update });
    }
    await peer.settle();
    expect(store.state.commands.map(({ name }) => name)).toEqual(["find"]);
    await session.prompt([{ type: "text", text: "/find a needle" }, link as never]).response;
    expect(peer.calls("session/prompt")[0]?.params).toEqual({
      sessionId: session.id,
      prompt: [{ type: "text", text: "/find a needle" }, link],
    });
  });
});
