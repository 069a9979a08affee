import { createClient } from "@acp/core";
import { spawnAgent } from "@acp/node";
import { expect, test } from "vitest";

import { program } from "./go-client.ts";

/** The agent that the Go client talks to, here with an official client: the first message tells them apart. */
test("an agent that accepts Go clients serves official clients as if it did not", async () => {
  const traffic: string[] = [];
  const client = createClient({
    info: { name: "official", version: "1" },
    handlers: { "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "yes" } }) },
  });
  const agent = await spawnAgent(client, {
    command: process.execPath,
    args: program("agent"),
    onTraffic: (direction, text) => direction === "received" && traffic.push(text),
  });
  try {
    expect(agent.info).toEqual({ name: "toolkit-agent", title: "Toolkit agent", version: "1.2.3" });
    const session = await agent.newSession({ cwd: "/project" });
    for (const prompt of ["permission", "rich"]) {
      // oxlint-disable-next-line no-await-in-loop
      expect((await session.prompt(prompt).response).stopReason).toBe("end_turn");
    }
    const updates = traffic.flatMap((text) => JSON.parse(text)["params"]?.["update"]?.["sessionUpdate"] ?? []);
    expect(updates).toEqual(["tool_call", "agent_message_chunk", "agent_message_chunk", "agent_thought_chunk"]);
    expect(traffic.some((text) => text.includes('"optionId\\":\\"yes'))).toBe(true);
    await agent.close();
    expect(agent.process.stderr()).not.toContain("translation");
  } finally {
    await agent.close();
  }
});
