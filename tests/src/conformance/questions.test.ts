import { describe, expect, test } from "vitest";

import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";

const form = { mode: "form", message: "Who?", requestedSchema: { type: "object", properties: {} } };
const url = { mode: "url", message: "Open", elicitationId: "e", url: "https://example.com" };
const hosts = { type: "object", properties: { host: { type: "string", format: "hostname" } } } as const;

describe("a client", () => {
  test.each([
    ["url", { form: {} }, url],
    ["form", { url: {} }, form],
  ])("ELIC-02: answers -32602 to a question by %s when it advertised %j", async (_mode, elicitation, question) => {
    let asked = false;
    const { peer, agent } = await rawAgent(
      clientWith(
        {
          "elicitation/create": () => {
            asked = true;
            return { action: "decline" };
          },
        },
        { elicitation },
      ),
    );
    const { id: sessionId } = await agent.newSession({ cwd: "/project" });
    expect((await peer.call("elicitation/create", { sessionId, ...question })).error?.code).toBe(-32602);
    expect(asked).toBe(false);
  });

  test("ELIC-34: takes a form with a format that it does not know", async () => {
    const seen: unknown[] = [];
    const { peer, agent } = await rawAgent(
      clientWith(
        {
          "elicitation/create": (params) => {
            seen.push("requestedSchema" in params ? params.requestedSchema : undefined);
            return { action: "accept", content: { host: "example.com" } };
          },
        },
        { elicitation: { form: {} } },
      ),
    );
    const { id: sessionId } = await agent.newSession({ cwd: "/project" });
    const answer = await peer.call("elicitation/create", { ...form, sessionId, requestedSchema: hosts });
    expect(answer.result).toEqual({ action: "accept", content: { host: "example.com" } });
    expect(seen).toMatchObject([{ properties: { host: { type: "string" } } }]);
  });
});

test("ELIC-34: an agent takes the answer to a form with a format that it does not know", async () => {
  let answered: unknown;
  const peer = await rawClient(
    agentThat(async ({ sessionId }, { client }) => {
      answered = await client.request("elicitation/create", {
        ...form,
        mode: "form",
        sessionId,
        requestedSchema: hosts as never,
      });
      return { stopReason: "end_turn" };
    }),
  );
  const prompt = peer.startPrompt(await peer.open({ elicitation: { form: {} } }));
  const question = await peer.next("elicitation/create");
  expect(question.params.requestedSchema).toEqual(hosts);
  peer.answer(question, { action: "accept", content: { host: "example.com" } });
  await peer.answerTo(prompt);
  expect(answered).toEqual({ action: "accept", content: { host: "example.com" } });
  // The format is what the strict schema would refuse.
  expect(peer.problems.splice(0)).toHaveLength(1);
});
