import { describe, expect, test } from "vitest";

import { connect as connectV1 } from "../v1/testing/connected.ts";
import { connect as connectV2 } from "../v2/testing/connected.ts";
import { canSteer, receiveSteering, steer, steeringMeta, steeringOf, type Steering } from "./steering.ts";

const options = {
  agent: { _meta: steeringMeta },
  handlers: { "_session/steering": receiveSteering },
};
/** The agent as both versions have it. */
interface Calls {
  request(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): Promise<void>;
}
const connectors = { 1: () => connectV1(options), 2: () => connectV2(options) };
const text = (words: string): readonly object[] => [{ type: "text", text: words }];
/** Waits until the agent has read all that the client sent. */
async function untilRead(session: { readonly agent: Calls }): Promise<void> {
  await expect(session.agent.request("_test/unknown", {})).rejects.toMatchObject({ wire: { code: -32601 } });
}

describe.each([1, 2] as const)("steering in version %i", (version) => {
  test("reaches the loop of the turn that runs, in order", async () => {
    const { agent, session, turn } = await connectors[version]();
    expect(canSteer(agent)).toBe(true);
    const received: unknown[] = [];
    const outcomes: Promise<string>[] = [];
    await turn(async (running) => {
      const loop = (async () => {
        for await (const blocks of steeringOf(running)) {
          received.push(blocks);
          if (received.length === 3) break;
        }
      })();
      outcomes.push(steer(session, "one"), steer(session, "two"), steer(session, [{ type: "text", text: "three" }]));
      await loop;
    });
    expect(await Promise.all(outcomes)).toEqual(["injected", "injected", "injected"]);
    expect(received).toEqual([text("one"), text("two"), text("three")]);
  });

  test("waits until somebody takes it, and take() takes all", async () => {
    const { session, turn } = await connectors[version]();
    let isAnswered = false;
    await turn(async (running) => {
      const steering = steeringOf(running);
      expect(steeringOf(running)).toBe(steering);
      expect(steering.take()).toEqual([]);
      const asking = steer(session, "a").finally(() => (isAnswered = true));
      await untilRead(session);
      expect(isAnswered).toBe(false);
      expect(steering.take()).toEqual([text("a")]);
      expect(await asking).toBe("injected");
    });
  });

  test("asks for a prompt without a turn, and for a message that a turn has not taken", async () => {
    const { session, turn } = await connectors[version]();
    expect(await steer(session, "before")).toBe("promptRequired");
    let late: Promise<string> | undefined;
    let steering: Steering | undefined;
    await turn(async (running) => {
      // This turn cannot be steered yet.
      expect(await steer(session, "early")).toBe("promptRequired");
      steering = steeringOf(running);
      late = steer(session, "late");
      await untilRead(session);
    });
    expect(await late).toBe("promptRequired");
    expect(steering?.take()).toEqual([]);
    for await (const _ of steering ?? []) expect.unreachable();
    expect(await steer(session, "after")).toBe("promptRequired");
    expect(await turn(async (running) => steeringOf(running).take())).toEqual([]);
  });

  test("ends with a turn that is cancelled", async () => {
    const { session, turn } = await connectors[version]();
    let hasEnded = false;
    const running = turn(async (it) => {
      const loop = (async () => {
        for await (const _ of steeringOf(it)) expect.unreachable();
        hasEnded = true;
      })();
      const calls: Calls = session.agent;
      await calls.notify("session/cancel", {});
      await loop;
    });
    await running.catch(() => {});
    expect(hasEnded).toBe(true);
  });

  test("answers clients that do not know promptRequired, and rejects an invalid message", async () => {
    const { session } = await connectors[version]();
    const calls: Calls = session.agent;
    const call = (params: object): Promise<unknown> => calls.request("_session/steering", params);
    const params = { sessionId: session.id, prompt: text("x") };
    expect(await call(params)).toEqual({ outcome: "failed", reason: "noRunningTurn" });
    expect(await call({ ...params, _meta: { steering: { idleBehavior: "promptRequired" } } })).toEqual({
      outcome: "promptRequired",
      reason: "noRunningTurn",
    });
    const prompts = [[], "x", [1], undefined];
    for (const wrong of [{ prompt: text("x") }, ...prompts.map((prompt) => ({ ...params, prompt }))])
      await expect(call(wrong)).rejects.toMatchObject({ wire: { code: -32602 } });
    await expect(call({ ...params, sessionId: "nobody" })).rejects.toMatchObject({ wire: { code: -32002 } });
  });
});

describe("a client that steers agents of others", () => {
  const answering = (result: unknown): Parameters<typeof steer>[0] => ({
    id: "s",
    agent: { request: <R>() => Promise.resolve(result as R) },
  });

  test.each(["injected", "promptRequired", "startedNewTurn", "failed"])("gets the outcome %s", async (outcome) => {
    expect(await steer(answering({ outcome }), "x")).toBe(outcome);
  });

  test.each([null, {}, { outcome: "odd" }, "injected"])("throws for the answer %j", async (result) => {
    await expect(steer(answering(result), "x")).rejects.toThrow("expected injected");
  });

  test("sends the message that they read", async () => {
    const sent: unknown[] = [];
    const request = <R>(...call: unknown[]): Promise<R> => {
      sent.push(call.slice(0, 2));
      return Promise.resolve({ outcome: "injected" } as R);
    };
    await steer({ id: "s", agent: { request } }, "x");
    const _meta = { steering: { idleBehavior: "promptRequired" } };
    expect(sent).toEqual([["_session/steering", { sessionId: "s", prompt: text("x"), _meta }]]);
  });

  test.each<[Record<string, unknown>, boolean]>([
    [{}, false],
    [{ steering: null }, false],
    [{ steering: { supported: false } }, false],
    [{ steering: { supported: "yes" } }, false],
    [{ steering: { supported: true, more: 1 } }, true],
  ])("reads %j as %j", (meta, expected) => {
    expect(canSteer({ meta })).toBe(expected);
  });
});
