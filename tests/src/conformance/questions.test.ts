import { type AgentTurn, createAgent } from "@acp/core";
import { elicitForm, elicitUrl } from "@acp/core/agent";
import { elicitation } from "@acp/core/elicitation";
import { describe, expect, test } from "vitest";

import { type OurClient, rawAgent, type RawClient, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";
import type { Message } from "./harness/raw-peer.ts";

const done = { stopReason: "end_turn" } as const;
const everyMode = { elicitation: { form: {}, url: {} } };
const form = { mode: "form", message: "Who?", requestedSchema: { type: "object", properties: {} } };
const url = { mode: "url", message: "Open", elicitationId: "e", url: "https://example.com" };
const hosts = { type: "object", properties: { host: { type: "string", format: "hostname" } } } as const;
const stage = { properties: { stage: { type: "string", enum: ["test", "live"] } }, required: ["stage"] } as const;

/** An agent that does this in a turn, with its client and the prompt that it has got. */
async function prompted(
  act: (turn: AgentTurn) => Promise<unknown>,
  capabilities: object = everyMode,
): Promise<{
  readonly peer: RawClient;
  readonly sessionId: string;
  readonly prompt: unknown;
  readonly made: Promise<unknown>;
}> {
  let settle = (_made: unknown): void => {};
  const made = new Promise((resolve) => {
    settle = resolve;
  });
  const peer = await rawClient(
    agentThat(async (_, { turn }) => {
      settle(await act(turn).catch((error: unknown) => error));
      return done;
    }),
  );
  const sessionId = await peer.open(capabilities);
  return { peer, sessionId, prompt: peer.startPrompt(sessionId), made };
}

/** A client whose user answers so, with a session of its agent. */
async function asked(
  create: unknown,
  more: object = {},
): Promise<OurClient & { ask(question: object): Promise<Message> }> {
  const connected = await rawAgent(clientWith({ "elicitation/create": create, ...more } as never, everyMode));
  const { id: sessionId } = await connected.agent.newSession({ cwd: "/project" });
  return { ...connected, ask: (question) => connected.peer.call("elicitation/create", { sessionId, ...question }) };
}

describe("an agent", () => {
  test.each([
    [{}, []],
    [{ elicitation: {} }, []],
    [{ elicitation: { form: null, url: null } }, []],
    [{ elicitation: { form: {} } }, ["form"]],
    [{ elicitation: { url: {} } }, ["url"]],
    [everyMode, ["form", "url"]],
  ])("ELIC-01, CHK-02: asks a client that advertised %j in the modes %j", async (capabilities, modes) => {
    const { peer, made } = await prompted(async (turn) => {
      const answers = [
        await elicitForm(turn, { message: "Who?", schema: { properties: {} } }),
        await elicitUrl(turn, { message: "Open", url: "https://example.com" }),
      ];
      // Nor does it by hand.
      const { client, id: sessionId } = turn.session;
      await client.request("elicitation/create", { ...form, sessionId } as never).catch(() => {});
      await client.request("elicitation/create", { ...url, sessionId } as never).catch(() => {});
      return answers.map(({ action }) => action);
    }, capabilities);
    peer.answerAlways({ "elicitation/create": { action: "decline" } });
    expect(await made).toEqual(
      ["form", "url"].map((mode) => ((modes as readonly string[]).includes(mode) ? "decline" : "failed")),
    );
    expect(peer.calls("elicitation/create").map(({ params }) => params.mode)).toEqual([...modes, ...modes]);
  });

  test("ELIC-04, ELIC-05, ELIC-06: asks by form in its session, with mode, type and fields, for a tool call or not", async () => {
    const { peer, sessionId, made } = await prompted(async (turn) => {
      const call = await turn.toolCall({ title: "Deploy", toolCallId: "c" });
      await elicitForm(turn, { message: "Where?", schema: stage });
      return await elicitForm(turn, { message: "Where?", schema: stage, call });
    });
    peer.answerAlways({ "elicitation/create": { action: "cancel" } });
    await made;
    const question = { mode: "form", message: "Where?", sessionId, requestedSchema: { type: "object", ...stage } };
    expect(peer.calls("elicitation/create").map(({ params }) => params)).toEqual([
      question,
      { ...question, toolCallId: "c" },
    ]);
  });

  test("ELIC-05: asks for a request instead of a session, and never for both or neither", async () => {
    const peer = await rawClient(
      createAgent({
        info: { name: "agent", version: "1.0.0" },
        authMethods: [{ id: "token", name: "Token" }],
        handlers: {
          "session/prompt": () => done,
          authenticate: async (_, { client }) => {
            const scopes = [{ requestId: "login" }, {}, { requestId: "login", sessionId: "s" }];
            const asking = scopes.map((scope) => client.request("elicitation/create", { ...form, ...scope } as never));
            await Promise.allSettled(asking);
          },
        },
      }),
    );
    await peer.initialize(everyMode);
    peer.answerAlways({ "elicitation/create": { action: "decline" } });
    expect((await peer.call("authenticate", { methodId: "token" }, "login")).result).toEqual({});
    expect(peer.calls("elicitation/create").map(({ params }) => params)).toEqual([{ ...form, requestId: "login" }]);
  });

  test.each([
    [{ stage: "live" }, { action: "accept", content: { stage: "live" } }],
    [{ stage: "moon" }, { action: "failed" }],
    [{ stage: 5 }, { action: "failed" }],
    [{}, { action: "failed" }],
    [undefined, { action: "failed" }],
  ])("ELIC-07, ELIC-16: takes the content %j of a form for %j", async (content, expected) => {
    const { peer, made } = await prompted((turn) => elicitForm(turn, { message: "Where?", schema: stage }));
    peer.reply(await peer.next("elicitation/create"), { action: "accept", content });
    expect(await made).toMatchObject(expected);
  });

  test("ELIC-11, ELIC-17: asks by URL with id, URL and message, each time with another id", async () => {
    const { peer, made } = await prompted(async (turn) => {
      await elicitUrl(turn, { message: "Pay", url: "https://example.com/pay" });
      return await elicitUrl(turn, { message: "Pay", url: "https://example.com/pay" });
    });
    peer.answerAlways({ "elicitation/create": { action: "cancel" } });
    await made;
    const [first, second] = peer.calls("elicitation/create").map(({ params }) => params);
    expect(first).toMatchObject({ mode: "url", message: "Pay", url: "https://example.com/pay" });
    expect([typeof first.elicitationId, first.elicitationId === second.elicitationId]).toEqual(["string", false]);
  });

  test("ELIC-17: does not ask under an id that waits for its answer", async () => {
    const { peer, made } = await prompted(async (turn) => {
      const { client, id: sessionId } = turn.session;
      const asking = [1, 2].map(() => client.request("elicitation/create", { ...url, sessionId } as never));
      return (await Promise.allSettled(asking)).map(({ status }) => status);
    });
    peer.reply(await peer.next("elicitation/create"), { action: "accept" });
    expect(await made).toEqual(["fulfilled", "rejected"]);
    expect(peer.calls("elicitation/create")).toHaveLength(1);
  });

  test.each([
    ["ELIC-14, ELIC-16", { result: { action: "decline", content: { stage: "live" } } }, { action: "decline" }],
    ["ELIC-14, ELIC-16", { result: { action: "cancel", content: { stage: "live" } } }, { action: "cancel" }],
    ["ELIC-16, ELIC-32", { result: { action: "_approve", content: { stage: "live" } } }, undefined],
    ["ELIC-16", { result: {} }, undefined],
    ["ELIC-16", { error: { code: -32603, message: "No window" } }, undefined],
  ])("%s: continues after %j, and has no content of it", async (_rules, answer, expected) => {
    const { peer, prompt, made } = await prompted(async (turn) => {
      const answered = await elicitForm(turn, { message: "Where?", schema: stage });
      await turn.message("I go on");
      return answered;
    });
    const question = await peer.next("elicitation/create");
    peer.send({ id: question.id, ...answer });
    expect((await peer.answerTo(prompt)).result).toEqual(done);
    expect(await made).toEqual(expected ?? { action: "failed", error: expect.any(Error) });
    expect(peer.updates).toMatchObject([{ content: { text: "I go on" } }]);
  });

  test("ELIC-19, ELIC-20: notifies only the client that was asked that it is done, once and by the same id", async () => {
    const others: AgentTurn[] = [];
    let release = (): void => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const agent = agentThat(async ({ prompt }, { turn }) => {
      if (prompt[0]?.type === "text" && prompt[0].text === "wait") {
        others.push(turn);
        await isReleased;
        return done;
      }
      const answer = await elicitUrl(turn, { message: "Pay", url: "https://example.com/pay" });
      if (answer.action !== "accept") return done;
      await answer.complete();
      await answer.complete();
      // The other one was never asked, whatever the author may say.
      const [id] = one.calls("elicitation/create").map(({ params }) => params.elicitationId);
      for (const other of others) {
        await other.session.client.notify("elicitation/complete", { elicitationId: id }).catch(() => {});
      }
      await turn.session.client.notify("elicitation/complete", { elicitationId: "never asked" });
      return done;
    });
    const [one, other] = [await rawClient(agent), await rawClient(agent)];
    const waiting = other.startPrompt(await other.open(everyMode), "wait");
    await other.settle();
    const prompt = one.startPrompt(await one.open(everyMode));
    const question = await one.next("elicitation/create");
    one.reply(question, { action: "accept" });
    await one.answerTo(prompt);
    release();
    await other.answerTo(waiting);
    expect(others).toHaveLength(1);
    const { elicitationId } = question.params;
    expect(one.calls("elicitation/complete").map(({ params }) => params)).toEqual([{ elicitationId }]);
    expect(other.calls("elicitation/complete")).toEqual([]);
  });

  test("ELIC-34: takes the answer to a form with a format that it does not know", async () => {
    const { peer, made } = await prompted((turn) => elicitForm(turn, { message: "Who?", schema: hosts as never }));
    const question = await peer.next("elicitation/create");
    expect(question.params.requestedSchema).toEqual(hosts);
    peer.reply(question, { action: "accept", content: { host: "example.com" } });
    expect(await made).toEqual({ action: "accept", content: { host: "example.com" } });
    // The format is what the strict schema would refuse.
    expect(peer.problems.splice(0)).toHaveLength(1);
  });
});

describe("a client", () => {
  test.each([
    ["url", { form: {} }, url],
    ["form", { url: {} }, form],
  ])("ELIC-02: answers -32602 to a question by %s when it advertised %j", async (_mode, elicitationModes, question) => {
    let isAsked = false;
    const handlers = {
      "elicitation/create": () => {
        isAsked = true;
        return { action: "decline" } as const;
      },
    };
    const { peer, agent } = await rawAgent(clientWith(handlers, { elicitation: elicitationModes }));
    const { id: sessionId } = await agent.newSession({ cwd: "/project" });
    expect((await peer.call("elicitation/create", { sessionId, ...question })).error?.code).toBe(-32602);
    expect(isAsked).toBe(false);
  });

  test.each([{}, { properties: { a: { type: "string" } } }, { type: "object" }])(
    "ELIC-06: does without type and fields in the form %j",
    async (requestedSchema) => {
      const seen: unknown[] = [];
      const { ask } = await asked((params: object) => {
        seen.push((params as { requestedSchema?: unknown }).requestedSchema);
        return { action: "accept", content: { a: "x" } };
      });
      const answer = await ask({ ...form, requestedSchema });
      expect(answer.result).toEqual({ action: "accept", content: { a: "x" } });
      expect(seen).toEqual([expect.objectContaining(requestedSchema)]);
    },
  );

  test("ELIC-07, ELIC-15: sends no content that does not fit the form, and fitting content as it is", async () => {
    for (const [content, isRight] of [
      [{ stage: "moon" }, false],
      [{ stage: 5 }, false],
      [{ stage: "live" }, true],
    ] as const) {
      let found = 0;
      const { "elicitation/create": create } = elicitation({
        form: ({ validate }) => {
          found = validate(content).length;
          return { action: "accept", content: { ...content } };
        },
      });
      const { peer, ask } = await asked(create);
      const answer = await ask({ ...form, requestedSchema: { type: "object", ...stage } });
      expect(found > 0).toBe(!isRight);
      if (isRight) expect(answer.result).toEqual({ action: "accept", content });
      else expect([answer.error?.code, peer.lines.join("").includes("moon")]).toEqual([-32603, false]);
    }
  });

  test.each(["decline", "cancel"])(
    "ELIC-13: has no content in the answer %s, whatever its handler returns",
    async (action) => {
      const { ask } = await asked(() => ({ action, content: { secret: "x" } }));
      expect((await ask(form)).result).toEqual({ action });
    },
  );

  test("ELIC-18, ELIC-21: ignores the end of an unknown or finished question, and does not interpret ids", async () => {
    const settled: unknown[] = [];
    const { peer, ask } = await asked(() => ({ action: "accept" }), {
      "elicitation/complete": (params: object) => void settled.push(params),
    });
    const elicitationId = ' {"not":"looked at"} π ';
    await ask({ ...url, elicitationId });
    for (const id of ["nobody's", elicitationId, elicitationId, elicitationId.trim()]) {
      peer.notify("elicitation/complete", { elicitationId: id });
    }
    const before = peer.received.length;
    await peer.settle();
    expect(settled).toEqual([{ elicitationId }]);
    expect(peer.received).toHaveLength(before + 1);
  });

  test("ELIC-31: takes no mode for one that it knows, and passes a field of an unknown kind on as it came", async () => {
    const seen: unknown[] = [];
    const { ask } = await asked((params: object) => {
      seen.push(params);
      return { action: "decline" };
    });
    expect((await ask({ ...form, mode: "_hologram" })).error?.code).toBe(-32602);
    expect(seen).toEqual([]);
    const colour = { type: "_colour", title: "Colour", wheel: [1, 2] };
    await ask({ ...form, requestedSchema: { type: "object", properties: { colour } } });
    expect(seen).toMatchObject([{ requestedSchema: { properties: { colour: { received: colour } } } }]);
  });

  test("ELIC-34: takes a form with a format that it does not know", async () => {
    const seen: unknown[] = [];
    const { ask } = await asked((params: object) => {
      seen.push(params);
      return { action: "accept", content: { host: "example.com" } };
    });
    const answer = await ask({ ...form, requestedSchema: hosts });
    expect(answer.result).toEqual({ action: "accept", content: { host: "example.com" } });
    expect(seen).toMatchObject([{ requestedSchema: { properties: { host: { type: "string" } } } }]);
  });
});
