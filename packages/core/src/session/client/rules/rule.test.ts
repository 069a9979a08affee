import { describe, expect, it } from "vitest";
import { type AgentRequest, type ClientRule, createRuleList } from "./rule.ts";

interface Session {
  readonly id: string;
}

const never = (): never => expect.unreachable();
const asked = { params: {}, session: undefined, isQuestion: false } as unknown as AgentRequest<Session>;

describe("a list of rules", () => {
  it("wraps a request in the order of the list, and lets a rule answer or change the params", () => {
    const seen: unknown[] = [];
    const rules: ClientRule<Session>[] = [
      { request: (one, next) => ["outer", next(one)] },
      { request: (one, next) => next({ ...one, params: "changed" }) },
      { ended: () => {} },
      { request: (one, next) => (seen.push(one.params), next(one)) },
    ];
    const list = createRuleList(rules, ({ params }) => params, never);
    expect(list.request(asked)).toEqual(["outer", "changed"]);
    expect(seen).toEqual(["changed"]);
    const answering = createRuleList<Session>([{ request: () => "mine" }, ...rules], never, () => {});
    expect(answering.request(asked)).toBe("mine");
  });

  it("wraps calls only if a rule does", async () => {
    const call = { method: "m", params: 1, session: undefined, signal: undefined };
    expect(createRuleList<Session>([{ ended: () => {} }], never, () => {}).call).toBeUndefined();
    const twice: ClientRule<Session> = { call: async (one, next) => [await next(one), await next(one)] };
    const { call: send } = createRuleList([twice], never, () => {});
    let sent = 0;
    expect(await send?.({ ...call, send: async (params) => [params, ++sent] })).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  it("runs each hook of each rule, also after one that throws", () => {
    const failures: unknown[] = [];
    const seen: unknown[] = [];
    const failure = new Error("broken");
    const broken = (): void => {
      throw failure;
    };
    const list = createRuleList<Session>(
      [
        { ended: broken, cancelled: broken, abandoned: broken, toolCall: broken, turnEnded: broken },
        {
          ended: (reason) => void seen.push(reason),
          cancelled: (id) => void seen.push(id),
          abandoned: () => void seen.push("abandoned"),
          toolCall: ({ id }, update) => void seen.push([id, update]),
          turnEnded: ({ id }) => void seen.push(id),
        },
      ],
      never,
      (error) => void failures.push(error),
    );
    list.ended("reason");
    list.cancelled("s");
    list.abandoned({} as Parameters<typeof list.abandoned>[0]);
    list.toolCall({ id: "s" }, { a: 1 });
    list.turnEnded({ id: "s" });
    expect(seen).toEqual(["reason", "s", "abandoned", ["s", { a: 1 }], "s"]);
    expect(failures).toEqual([failure, failure, failure, failure, failure]);
  });
});
