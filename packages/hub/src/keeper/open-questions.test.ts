import { settled } from "@acp/testing";
import { beforeEach, describe, expect, test } from "vitest";

import { createDeferred, type Deferred } from "../deferred.ts";
import type { EntryBody } from "../journal/entry.ts";
import { OpenQuestions } from "./open-questions.ts";

const permission = "session/request_permission";
const params = { options: [{ optionId: "yes" }, { optionId: "no" }] };
const yes = { outcome: { outcome: "selected", optionId: "yes" } };
const no = { outcome: { outcome: "selected", optionId: "no" } };

let added: { readonly body: EntryBody; readonly by: string | undefined; readonly stored: Deferred<void> }[];
let changes: number;
let questions: OpenQuestions;

beforeEach(() => {
  [added, changes] = [[], 0];
  questions = new OpenQuestions({
    version: 1,
    limit: 2,
    add: (body, by) => {
      const stored = createDeferred<void>();
      added.push({ body, by, stored });
      return stored.promise;
    },
    onChange: () => (changes += 1),
  });
});

/** Asks, and returns the id of the question once it is stored. */
async function ask(
  method = permission,
  signal = new AbortController().signal,
): Promise<{ id: string; result: Promise<unknown> }> {
  const result = questions.ask(method, params, signal);
  result.catch(() => {});
  const entry = added.at(-1);
  entry?.stored.resolve();
  await settled();
  return { id: entry?.body.t === "ask" ? entry.body.id : "", result };
}

function answer(id: string, result: unknown, by?: string): unknown {
  return questions.answer({ type: "answer", ask: id, v: 1, result, by });
}

describe("a question", () => {
  test("is answered by the first; the agent gets that once it is stored", async () => {
    const { id, result } = await ask();
    expect(answer(id, yes, "ada")).toBeUndefined();
    expect(answer(id, no, "bob")).toBe("taken");
    let told: unknown = "nothing";
    void result.then((value) => (told = value));
    await settled();
    expect([told, questions.size]).toEqual(["nothing", 1]);
    expect(added[1]).toMatchObject({
      body: { t: "answered", id, outcome: { type: "permission", outcome: yes.outcome } },
      by: "ada",
    });
    added[1]?.stored.resolve();
    expect(await result).toEqual(yes);
    expect([added.length, questions.size, changes]).toEqual([2, 0, 2]);
    expect(answer(id, no)).toBe("unknown");
  });

  test("fails at the agent if its answer cannot be stored", async () => {
    const { id, result } = await ask();
    answer(id, yes);
    added[1]?.stored.reject(new Error("Another keeper has taken the session over"));
    await expect(result).rejects.toThrow("Another keeper");
    expect(questions.size).toBe(0);
  });

  test("fails, and is not open, if it cannot be stored itself", async () => {
    const result = questions.ask(permission, params, new AbortController().signal);
    added[0]?.stored.reject(new Error("Another keeper has taken the session over"));
    await expect(result).rejects.toThrow("Another keeper");
    expect(questions.size).toBe(0);
  });

  test.each([
    ["no option", { outcome: { outcome: "selected", optionId: "maybe" } }],
    ["no outcome", {}],
    ["nothing", undefined],
    ["text", "yes"],
    ["another kind", { action: "accept" }],
  ])("stays open for an answer that is %s of it", async (_what, result) => {
    const { id } = await ask();
    expect(answer(id, result)).toBe("invalid");
    expect(answer(id, yes)).toBeUndefined();
  });

  test("of a form is stored without what was typed, which only the agent gets", async () => {
    const { id, result } = await ask("elicitation/create");
    const typed = { action: "accept", content: { password: "secret" } };
    answer(id, typed);
    added[1]?.stored.resolve();
    expect(await result).toEqual(typed);
    expect(JSON.stringify(added.map(({ body }) => body))).not.toContain("secret");
  });

  test.each([
    [permission, { outcome: { outcome: "cancelled" } }],
    ["elicitation/create", { action: "cancel" }],
  ])("of %s is cancelled with all others", async (method, cancelled) => {
    const { id, result } = await ask(method);
    questions.cancelAll();
    questions.cancelAll();
    expect(answer(id, yes)).toBe("taken");
    added[1]?.stored.resolve();
    expect(await result).toEqual(cancelled);
    expect(added).toHaveLength(2);
  });

  test("that is withdrawn before it is stored is asked and withdrawn, in this order", async () => {
    const withdrawn = new AbortController();
    const result = questions.ask(permission, params, withdrawn.signal);
    result.catch(() => {});
    withdrawn.abort(new Error("No more"));
    for (const { stored } of added) stored.resolve();
    await expect(result).rejects.toThrow("No more");
    expect(added.map(({ body }) => body.t)).toEqual(["ask", "answered"]);
  });

  test("beyond the limit is refused to the agent, until another one is over", async () => {
    const { id } = await ask();
    await ask();
    await expect(questions.ask(permission, params, new AbortController().signal)).rejects.toThrow("(questions)");
    answer(id, yes);
    added.at(-1)?.stored.resolve();
    await settled();
    await ask();
    expect(questions.size).toBe(2);
  });
});
