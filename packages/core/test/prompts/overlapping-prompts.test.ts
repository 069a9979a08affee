// What an agent does with a prompt that comes while a turn runs: the option overlappingPrompts. Where both run at once:
// `alongside.test.ts`.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestError } from "../../src/v1/index.ts";
import { start } from "../support/overlapping-run.ts";

describe('createAgent({ overlappingPrompts: "queue" })', () => {
  it("runs prompts in the order in which they came, each when the one before was answered", async () => {
    const { peer, turns, prompt, log } = await start("queue");
    for (const name of ["1", "2", "3"]) prompt(name);
    for (let ended = 0; ended < 4; ended++) {
      await peer.settle();
      expect(turns).toHaveLength(Math.min(ended + 1, 4));
      // One that comes at the very moment of an answer is the last all the same.
      turns[ended]?.end();
      if (ended === 0) prompt("4");
    }
    await peer.settle();
    expect(log()).toEqual(
      ["1", "2", "3", "4"].flatMap((name) => [`${name}: begins`, `${name}: ends`, `${name} = end_turn`]),
    );
  });

  it("cancels all that came before session/cancel, and none that comes after", async () => {
    const { peer, turns, prompt, cancel, log } = await start("queue");
    prompt("1");
    prompt("2");
    prompt("3");
    cancel();
    prompt("4");
    await peer.settle();
    turns[1]?.end();
    await peer.settle();
    expect(log()).toEqual([
      "1: begins",
      "2 = cancelled",
      "3 = cancelled",
      "1: ends",
      "1 = cancelled",
      "4: begins",
      "4: ends",
      "4 = end_turn",
    ]);
  });

  it("cancels one that waits, and only that, by $/cancel_request", async () => {
    const { peer, turns, prompt, log } = await start("queue");
    prompt("1");
    prompt("2");
    prompt("3");
    peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "2" } });
    await peer.settle();
    expect(log()).toEqual(["1: begins", "2 = -32800"]);
    turns[0]?.end();
    await peer.settle();
    peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "3" } });
    await peer.settle();
    // A turn that runs is answered as cancelled.
    expect(log().slice(2)).toEqual(["1: ends", "1 = end_turn", "3: begins", "3: ends", "3 = cancelled"]);
  });

  it.each(["session/close", "session/delete"])("answers waiting prompts before the answer of %s", async (method) => {
    const { peer, prompt, log, turns } = await start("queue", {
      "session/delete": () => {},
      "session/list": () => ({ sessions: [] }),
    });
    prompt("1");
    prompt("2");
    prompt("3");
    await peer.settle();
    peer.send({ jsonrpc: "2.0", id: "end", method, params: { sessionId: "s" } });
    await peer.settle();
    expect(log()).toEqual([
      "1: begins",
      "2 = cancelled",
      "3 = cancelled",
      "1: ends",
      "1 = cancelled",
      "end = undefined",
    ]);
    expect(turns).toHaveLength(1);
    prompt("4");
    expect(await peer.next(({ id }) => id === "4")).toMatchObject({ error: { code: -32002 } });
  });

  it("answers waiting prompts when the session is opened again, even if that fails", async () => {
    const loads: ((error?: Error) => void)[] = [];
    const { peer, prompt, log, turns } = await start("queue", {
      "session/load": () =>
        new Promise<void>((resolve, reject) => loads.push((error) => (error ? reject(error) : resolve()))),
    });
    const load = (id: string): void =>
      peer.send({ jsonrpc: "2.0", id, method: "session/load", params: { sessionId: "s", cwd: "/", mcpServers: [] } });
    prompt("1");
    prompt("2");
    await peer.settle();
    load("a");
    await peer.settle();
    loads[0]?.();
    await peer.settle();
    expect(log()).toEqual(["1: begins", "2 = cancelled", "1 = cancelled", "a = undefined"]);
    load("b");
    // They wait for the session that does not open in the end.
    prompt("3");
    prompt("4");
    load("c");
    prompt("5");
    prompt("6");
    await peer.settle();
    loads[1]?.();
    loads[2]?.(new Error("gone"));
    await peer.settle();
    expect(log().slice(4)).toEqual(["3 = cancelled", "4 = cancelled", "b = undefined", "c = -32603", "5: begins"]);
    expect(turns.map(({ name }) => name)).toEqual(["1", "5"]);
  });

  it("starts nothing any more when the client is gone", async () => {
    const { peer, turns, prompt } = await start("queue");
    prompt("1");
    prompt("2");
    await peer.settle();
    await peer.close();
    await peer.settle();
    expect(turns.map(({ name }) => name)).toEqual(["1"]);
  });

  it("continues after a turn that wants a login, and one that fails", async () => {
    const { peer, turns, prompt, log } = await start("queue");
    for (const name of ["1", "2", "3"]) prompt(name);
    await peer.settle();
    turns[0]?.fail(RequestError.authRequired());
    await peer.settle();
    turns[1]?.fail(new Error("broken"));
    await peer.settle();
    turns[2]?.end();
    await peer.settle();
    expect(log().filter((line) => line.includes("="))).toEqual(["1 = -32000", "2 = -32603", "3 = end_turn"]);
  });

  it("refuses at once a prompt that it could not take in its turn", async () => {
    const { peer, prompt } = await start("queue");
    prompt("1");
    prompt("2", [{ type: "image", data: "", mimeType: "image/png" }]);
    expect(await peer.next(({ id }) => id === "2")).toMatchObject({ error: { code: -32602 } });
  });
});

describe('createAgent({ overlappingPrompts: "replace" })', () => {
  it("cancels the turn, and starts when that was answered", async () => {
    const { peer, turns, prompt, log } = await start("replace");
    prompt("1");
    await peer.settle();
    prompt("2");
    // It takes the place of one that has not begun, too.
    prompt("3");
    await peer.settle();
    turns[1]?.end();
    await peer.settle();
    expect(log()).toEqual([
      "1: begins",
      "2 = cancelled",
      "1: ends",
      "1 = cancelled",
      "3: begins",
      "3: ends",
      "3 = end_turn",
    ]);
  });

  it("cancels the turn's questions that its client has not received yet", async () => {
    const asked: unknown[] = [];
    const { peer, prompt, answer } = await start("replace", {
      "session/prompt": async (_params, { requestId, turn, client }) => {
        if (requestId !== "1") return { stopReason: "end_turn" };
        const requestedSchema = { type: "object", properties: {} } as const;
        const question = { sessionId: "s", mode: "form", message: "?", requestedSchema } as const;
        const call = await turn.toolCall({ title: "x" });
        const both = [client.request("elicitation/create", question), call.requestPermission()];
        asked.push(...(await Promise.allSettled(both)));
        return { stopReason: "end_turn" };
      },
    });
    prompt("1");
    await peer.next(({ method }) => method === "session/request_permission");
    prompt("2");
    expect(await answer("1")).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(await answer("2")).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(asked).toMatchObject([{ status: "rejected" }, { value: { outcome: "cancelled" } }]);
    expect(peer.received.filter(({ method }) => method === "$/cancel_request")).toHaveLength(2);
  });

  it("leaves the turn alone for a prompt that it cannot take", async () => {
    const { peer, turns, prompt } = await start("replace");
    prompt("1");
    prompt("2", [{ type: "image", data: "", mimeType: "image/png" }]);
    expect(await peer.next(({ id }) => id === "2")).toMatchObject({ error: { code: -32602 } });
    expect(turns[0]?.context.signal.aborted).toBe(false);
  });
});

describe("overlapping prompts", () => {
  it("have one answer each, and never two turns at once, in any order of events", async () => {
    const step = fc.constantFrom("prompt", "prompt", "end", "cancel", "take back", "close", "settle");
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("queue", "replace"), fc.array(step, { maxLength: 20 }), async (mode, steps) => {
        const { peer, turns, prompt, cancel, log } = await start(mode);
        let count = 0;
        for (const [index, kind] of steps.entries()) {
          if (kind === "prompt") prompt(String(++count));
          if (kind === "end") turns.at(-1)?.end();
          if (kind === "cancel") cancel();
          if (kind === "settle") await peer.settle();
          const requestId = String(count - (index % 3));
          if (kind === "take back") peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
          if (kind === "close") {
            peer.send({ jsonrpc: "2.0", id: index, method: "session/close", params: { sessionId: "s" } });
            await peer.call("session/new", { cwd: "/", mcpServers: [] });
          }
        }
        for (let left = count; left >= 0; left--) {
          await peer.settle();
          turns.at(-1)?.end();
        }
        const lines = log();
        let running: string | undefined;
        for (const line of lines) {
          const [, name, what] = /^(\d+)(: begins| =)?/.exec(line) ?? [];
          if (what === ": begins") {
            expect(running).toBeUndefined();
            running = name;
          } else if (what === " =" && name === running) running = undefined;
        }
        const answers = lines.flatMap((line) => /^(\d+) =/.exec(line)?.[1] ?? []).map(Number);
        expect(answers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
      }),
      { numRuns: 60 },
    );
  });
});
