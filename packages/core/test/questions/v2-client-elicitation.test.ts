import { expect, test } from "vitest";
import { elicitation, type Questions } from "../../src/kit/forms/elicitation.ts";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import { elicitForm, elicitUrl } from "../../src/kit/v2/entry.ts";
import { createAgent } from "../../src/v2/agent.ts";
import { createClient } from "../../src/v2/client.ts";
import type { AgentTurn } from "../../src/v2/agent-turn.ts";

const info = { name: "test", version: "1.0.0" };

/** Runs a turn that asks a client with these functions; returns how it has ended. */
async function ask(questions: Questions, asks: (turn: AgentTurn) => Promise<void>): Promise<unknown> {
  const [near, far] = createMemoryTransportPair();
  createAgent({
    info,
    handlers: {
      "session/prompt": async (_, { turn }) => {
        await asks(turn);
        return { stopReason: "end_turn" };
      },
    },
  }).connect(far);
  const agent = await createClient({
    info,
    capabilities: { elicitation: { form: {}, url: {} } },
    handlers: { ...elicitation(questions) },
  }).connect(near);
  const session = await agent.newSession({ cwd: "/project" });
  const { stopReason } = await session.prompt("ask").finished;
  await agent.close();
  return stopReason;
}

test("elicitation() of a client of version 2 checks a form, one with a format that is not known as well", async () => {
  const answers: unknown[] = [];
  const formats: unknown[] = [];
  const form: Questions["form"] = ({ schema, defaults, validate }) => {
    formats.push(...Object.values(schema.properties ?? {}).map((field) => ("format" in field ? field.format : "none")));
    expect(validate({ ...defaults, name: "x" })).toEqual([{ path: ["name"], reason: expect.any(String) }]);
    return { action: "accept", content: { ...defaults, name: "new" } };
  };
  const properties = {
    name: { type: "string", minLength: 2 },
    colour: { type: "string", format: "_colour", default: "red" },
  } as const;
  const ended = await ask({ form }, async (turn) => {
    answers.push(await elicitForm(turn, { message: "Which?", schema: { properties } }));
  });
  expect({ ended, answers, formats }).toEqual({
    ended: "end_turn",
    answers: [{ action: "accept", content: { name: "new", colour: "red" } }],
    formats: ["none", "_colour"],
  });
});

test("elicitation() of a client of version 2 is notified when a question by URL is over", async () => {
  const told: boolean[] = [];
  const url: Questions["url"] = ({ completed }) => {
    completed.addEventListener("abort", () => told.push(true));
    return { action: "accept" };
  };
  await ask({ url }, async (turn) => {
    const answer = await elicitUrl(turn, { message: "Look", url: "https://example.com/" });
    if (answer.action === "accept") await answer.complete();
  });
  expect(told).toEqual([true]);
});
