// Prompts of one session that run side by side: overlappingPrompts: "alongside".
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PermissionOutcome } from "../../src/v1/index.ts";
import { type Run, start } from "../support/overlapping-run.ts";

/** Which of the turns that have begun were aborted. */
const abortedOf = ({ turns }: Run): unknown => turns.map(({ context }) => context.signal.aborted);

const takeBack = ({ peer }: Run, requestId: string): void =>
  peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });

const request = ({ peer }: Run, id: string, method: string, more: object = {}): void =>
  peer.send({ jsonrpc: "2.0", id, method, params: { sessionId: "s", ...more } });

/** An agent in whose session the turns 1, 2 and 3 run. */
async function threeTurns(more: Parameters<typeof start>[1] = {}): Promise<Run> {
  const run = await start("alongside", more);
  for (const name of ["1", "2", "3"]) run.prompt(name);
  await run.peer.settle();
  return run;
}

const begun = ["1: begins", "2: begins", "3: begins"];

describe('createAgent({ overlappingPrompts: "alongside" })', () => {
  it("hands on each prompt at once, and answers each when its handler has returned", async () => {
    const run = await threeTurns();
    const { peer, turns, prompt, log } = run;
    const [first, second, third] = turns;
    expect(new Set(turns.flatMap(({ context }) => [context.turn, context.signal, context.client])).size).toBe(9);
    expect(turns.every(({ context }) => context.session === first?.context.session)).toBe(true);
    second?.end();
    await peer.settle();
    expect(turns.map(({ context }) => context.turn.ended)).toEqual([false, true, false]);
    first?.end();
    await peer.settle();
    prompt("4");
    await peer.settle();
    turns[3]?.end();
    await peer.settle();
    third?.end();
    await peer.settle();
    const answered = ["2", "1", "4", "3"].map((name) => [`${name}: ends`, `${name} = end_turn`]);
    expect(log()).toEqual([...begun, ...answered.slice(0, 2).flat(), "4: begins", ...answered.slice(2).flat()]);
    expect(abortedOf(run)).toEqual([false, false, false, false]);
  });

  it("lets each fail by itself", async () => {
    const { peer, turns, log } = await threeTurns();
    turns[1]?.fail(new Error("broken"));
    await peer.settle();
    turns[0]?.end();
    turns[2]?.end();
    await peer.settle();
    expect(log().filter((line) => line.includes("="))).toEqual(["2 = -32603", "1 = end_turn", "3 = end_turn"]);
  });

  it("cancels all that run by session/cancel, and none that comes after", async () => {
    const run = await threeTurns();
    run.cancel();
    run.prompt("4");
    await run.peer.settle();
    run.turns[3]?.end();
    await run.peer.settle();
    const answers = run.log().filter((line) => line.includes("="));
    expect(answers).toEqual(["1 = cancelled", "2 = cancelled", "3 = cancelled", "4 = end_turn"]);
    expect(abortedOf(run)).toEqual([true, true, true, false]);
  });

  it("cancels all, though one ends the moment it is cancelled", async () => {
    const { peer, prompt, cancel, log } = await start("alongside", {
      "session/prompt": (_params, { signal }) =>
        ({
          // oxlint-disable-next-line unicorn/no-thenable -- whoever waits for it is told at once, not later as of a promise
          then(resolve: (answer: object) => void) {
            signal.addEventListener("abort", () => resolve({ stopReason: "end_turn" }));
          },
        }) as never,
    });
    for (const name of ["1", "2", "3"]) prompt(name);
    cancel();
    await peer.settle();
    expect(log()).toEqual(["1 = cancelled", "2 = cancelled", "3 = cancelled"]);
  });

  it.each([0, 1, 2])("cancels one of them by $/cancel_request, and only that (%i)", async (index) => {
    const run = await threeTurns();
    takeBack(run, String(index + 1));
    await run.peer.settle();
    expect(abortedOf(run)).toEqual([0, 1, 2].map((other) => other === index));
    run.cancel();
    await run.peer.settle();
    expect(run.log().filter((line) => line.includes("="))).toHaveLength(3);
    expect(abortedOf(run)).toEqual([true, true, true]);
  });

  it.each(["session/close", "session/delete"])("answers all that run before the answer of %s", async (method) => {
    const run = await threeTurns({ "session/delete": () => {}, "session/list": () => ({ sessions: [] }) });
    request(run, "end", method);
    await run.peer.settle();
    const answers = run.log().filter((line) => line.includes("="));
    expect(answers).toEqual(["1 = cancelled", "2 = cancelled", "3 = cancelled", "end = undefined"]);
    expect(run.turns[0]?.context.session.signal.aborted).toBe(true);
    run.prompt("4");
    expect(await run.answer("4")).toMatchObject({ error: { code: -32002 } });
  });

  it("waits with the answer of session/close for the last one", async () => {
    const releases: (() => void)[] = [];
    const run = await start("alongside", {
      "session/prompt": async () => {
        await new Promise<void>((resolve) => releases.push(resolve));
        return { stopReason: "end_turn" };
      },
    });
    const { peer, prompt, log } = run;
    prompt("1");
    prompt("2");
    await peer.settle();
    request(run, "close", "session/close");
    await peer.settle();
    expect(log()).toEqual([]);
    releases[1]?.();
    await peer.settle();
    expect(log()).toEqual(["2 = cancelled"]);
    releases[0]?.();
    await peer.settle();
    expect(log()).toEqual(["2 = cancelled", "1 = cancelled", "close = undefined"]);
  });

  it("ends all when the session is opened again, and continues where that fails", async () => {
    const run = await threeTurns({
      "session/load": (_params, { requestId }) => {
        if (requestId === "b") throw new Error("gone");
      },
    });
    const load = (id: string): void => request(run, id, "session/load", { cwd: "/", mcpServers: [] });
    load("a");
    await run.peer.settle();
    run.prompt("4");
    run.prompt("5");
    await run.peer.settle();
    expect(abortedOf(run)).toEqual([true, true, true, false, false]);
    load("b");
    await run.peer.settle();
    run.prompt("6");
    await run.peer.settle();
    expect(abortedOf(run)).toEqual([true, true, true, true, true, false]);
    const answers = run.log().filter((line) => line.includes("="));
    expect(answers.toSorted()).toEqual([
      ...["1", "2", "3", "4", "5"].map((name) => `${name} = cancelled`),
      "a = undefined",
      "b = -32603",
    ]);
  });

  it("ends all when the client goes", async () => {
    const run = await threeTurns();
    await run.peer.close();
    await run.peer.settle();
    expect(abortedOf(run)).toEqual([true, true, true]);
    expect(run.turns.every(({ context }) => context.turn.ended)).toBe(true);
    expect(run.diagnostics).toEqual([]);
  });

  it("refuses a prompt that no turn could take", async () => {
    const { prompt, answer } = await threeTurns();
    prompt("4", [{ type: "image", data: "", mimeType: "image/png" }]);
    expect(await answer("4")).toMatchObject({ error: { code: -32602 } });
  });

  it("forgets no other turn where one is cancelled and its answer cannot be made", async () => {
    const releases: (() => void)[] = [];
    const { peer, prompt, cancel, answer } = await start("alongside", {
      "session/prompt": async (_params, { signal }) => {
        await new Promise<void>((resolve) => {
          releases.push(resolve);
          if (releases.length > 1) signal.addEventListener("abort", () => resolve());
        });
        return {
          stopReason: "end_turn",
          get _meta(): undefined {
            throw new Error("broken");
          },
        };
      },
    });
    prompt("1");
    cancel();
    prompt("2");
    await peer.settle();
    releases[0]?.();
    expect(await answer("1")).toMatchObject({ result: { stopReason: "cancelled" } });
    cancel();
    expect(await answer("2")).toMatchObject({ result: { stopReason: "cancelled" } });
  });
});

describe("a question of one of two turns that run side by side", () => {
  const options = [{ optionId: "allow", name: "Allow", kind: "allow_once" } as const];
  const isCall = (method: string) => (message: Record<string, unknown>) => message["method"] === method;

  it("belongs to its turn: it continues while the other turn ends", async () => {
    const outcomes: PermissionOutcome[] = [];
    const { peer, prompt, answer } = await start("alongside", {
      "session/prompt": async (_params, { requestId, turn }) => {
        if (requestId !== "1") return { stopReason: "end_turn" };
        const call = await turn.toolCall({ title: "Write" });
        outcomes.push(await call.requestPermission(options));
        return { stopReason: "end_turn" };
      },
    });
    prompt("1");
    const { id } = await peer.next(isCall("session/request_permission"));
    prompt("2");
    expect(await answer("2")).toMatchObject({ result: { stopReason: "end_turn" } });
    peer.send({ jsonrpc: "2.0", id, result: { outcome: { outcome: "selected", optionId: "allow" } } });
    expect(await answer("1")).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(outcomes).toEqual([{ outcome: "selected", optionId: "allow" }]);
  });

  it.each([
    ["1", "2"],
    ["2", "1"],
  ])("is cancelled with its own turn only (%s)", async (ended, other) => {
    const settled: unknown[] = [];
    const run = await start("alongside", {
      "session/prompt": async (_params, { requestId, client }) => {
        const asked = client.request("_x/ask", { who: requestId });
        settled.push(
          await asked.then(
            () => `${requestId} answered`,
            () => `${requestId} given up`,
          ),
        );
        return { stopReason: "end_turn" };
      },
    });
    const { peer, prompt, answer } = run;
    prompt("1");
    prompt("2");
    await peer.settle();
    const idOf = (who: string): unknown =>
      peer.received.find(({ params }) => (params as { who?: string } | undefined)?.who === who)?.["id"];
    takeBack(run, ended);
    expect(await answer(ended)).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(peer.received.filter(isCall("$/cancel_request"))).toMatchObject([{ params: { requestId: idOf(ended) } }]);
    peer.send({ jsonrpc: "2.0", id: idOf(other), result: {} });
    expect(await answer(other)).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(settled).toEqual([`${ended} given up`, `${other} answered`]);
  });

  it("does not join the other turn once its own is over", async () => {
    const run = await threeTurns();
    const { peer, turns } = run;
    turns[0]?.end();
    await peer.settle();
    const later = turns[0]?.context.client.request("_x/ask");
    const { id } = await peer.next(isCall("_x/ask"));
    run.cancel();
    await run.answer("2");
    await run.answer("3");
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(peer.received.filter(isCall("$/cancel_request"))).toEqual([]);
    peer.send({ jsonrpc: "2.0", id, result: { heard: true } });
    expect(await later).toEqual({ heard: true });
  });
});

it("prompts alongside each other have one answer each, in any order of events", async () => {
  const step = fc.constantFrom("prompt", "prompt", "end", "cancel", "take back", "close", "settle");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(5)), { maxLength: 20 }), async (steps) => {
      const run = await start("alongside");
      const { peer, turns, prompt, cancel, log } = run;
      let count = 0;
      for (const [index, [kind, which]] of steps.entries()) {
        if (kind === "prompt") prompt(String(++count));
        if (kind === "end") turns[which]?.end();
        if (kind === "cancel") cancel();
        if (kind === "settle") await peer.settle();
        if (kind === "take back") takeBack(run, String(count - which));
        if (kind === "close") {
          request(run, `close ${index}`, "session/close");
          await peer.call("session/new", { cwd: "/", mcpServers: [] });
        }
      }
      await peer.settle();
      for (const turn of turns) turn.end();
      await peer.settle();
      const answers = log().flatMap((line) => /^(\d+) =/.exec(line)?.[1] ?? []);
      expect(answers.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
      expect(turns.every(({ context }) => context.turn.ended)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
