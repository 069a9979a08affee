// What ends a turn before its time: `session/cancel`, a prompt that is taken back, a session that ends, a client that goes.
import { describe, expect, test } from "vitest";
import { connectWire } from "../support/v2-wire.ts";

const end = { stopReason: "end_turn" } as const;
const cancel = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } };

/** Waits for the end of a turn. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

describe("session/cancel", () => {
  test("ends the turn idle and cancelled, whatever its handler throws", async () => {
    const thrown = [undefined, new TypeError("The socket was torn down"), "nothing"];
    const wire = await connectWire({
      "session/prompt": async (_params, { turn, signal }) => {
        await turn.message("Working");
        await untilAborted(signal).catch(() => {});
        const error = thrown.shift();
        if (error === undefined) return { stopReason: "end_turn", background: [] };
        throw error;
      },
    });
    for (const failures of [0, 1, 2]) {
      await wire.prompt("Go");
      wire.peer.send(cancel);
      expect((await wire.news()).at(-1)).toBe("idle cancelled");
      expect(wire.diagnostics.filter(({ type }) => type === "handler-failed")).toHaveLength(failures);
    }
  });

  test("cancels a prompt that is not accepted yet, and those that wait after it", async () => {
    const begun: string[] = [];
    let late: Promise<void> | undefined;
    const wire = await connectWire({
      "session/prompt": async ({ prompt }, { turn, signal }) => {
        begun.push(JSON.stringify(prompt));
        await untilAborted(signal).catch(() => {});
        late = turn.message("Too late");
        await late;
        return end;
      },
    });
    const answers = Promise.all([wire.prompt("One"), wire.prompt("Two")]);
    await wire.peer.settle();
    wire.peer.send(cancel);
    expect(await answers).toMatchObject([{ error: { code: -32800 } }, { error: { code: -32800 } }]);
    expect(await wire.news()).toEqual(["error -32800", "error -32800"]);
    expect(begun).toHaveLength(1);
    await expect(late).rejects.toMatchObject({ name: "AbortError" });
    expect(wire.diagnostics).toEqual([]);
  });

  test("leaves a cancelled prompt out of the conversation, even if its handler asks a question then", async () => {
    const wire = await connectWire({
      "session/prompt": async (_params, { client, signal }) => {
        await untilAborted(signal).catch(() => {});
        await client.request("_acme/clean_up");
        return end;
      },
    });
    void wire.prompt("One");
    await wire.peer.settle();
    wire.peer.send(cancel);
    expect(await wire.news()).toEqual(["error -32800", "_acme/clean_up"]);
    await wire.answer("_acme/clean_up", {});
    expect(await wire.news()).toEqual([]);
  });

  test("lets the next prompt wait for the handler of one that was cancelled", async () => {
    let running = 0;
    const most: number[] = [];
    const wire = await connectWire({
      "session/prompt": async (_params, { signal }) => {
        most.push(++running);
        if (most.length === 1) await untilAborted(signal).catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        return end;
      },
    });
    const first = wire.prompt("One");
    await wire.peer.settle();
    wire.peer.send(cancel);
    await first;
    expect(await wire.prompt("Two")).toMatchObject({ result: {} });
    expect(most).toEqual([1, 1]);
  });

  test("of a session in which nothing runs changes nothing", async () => {
    const wire = await connectWire({ "session/prompt": () => end });
    wire.peer.send(cancel);
    expect(await wire.news()).toEqual([]);
  });

  test("reads a stream no further", async () => {
    let isLetGo = false;
    const wire = await connectWire({
      "session/prompt": async (_params, { turn }) => {
        await turn.message(
          (async function* () {
            try {
              yield "a";
              wire.peer.send(cancel);
              await new Promise((resolve) => setTimeout(resolve, 20));
              yield "b";
            } finally {
              isLetGo = true;
            }
          })(),
        );
        return end;
      },
    });
    await wire.prompt("Go");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect((await wire.news()).slice(3)).toEqual(["agent_message_chunk: a", "idle cancelled"]);
    expect(isLetGo).toBe(true);
  });
});

test("$/cancel_request cancels a prompt that is not accepted, and is too late for one that is", async () => {
  const wire = await connectWire({
    "session/prompt": async ({ prompt }, { turn, signal }) => {
      if (JSON.stringify(prompt).includes("Accept")) await turn.accept();
      await untilAborted(signal);
      return end;
    },
  });
  const takeBack = (id: number): void =>
    wire.peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: id } });
  const send = (id: number, text: string): void =>
    wire.peer.send({
      jsonrpc: "2.0",
      id,
      method: "session/prompt",
      params: { sessionId: "s", prompt: [{ type: "text", text }] },
    });
  send(1, "Wait");
  await wire.peer.settle();
  takeBack(1);
  expect(await wire.news()).toEqual(["error -32800"]);
  send(2, "Accept");
  await wire.peer.settle();
  takeBack(2);
  expect(await wire.news()).toEqual(["answer", "user_message: Accept", "running"]);
  wire.peer.send(cancel);
  expect(await wire.news()).toEqual(["idle cancelled"]);
});

describe("session/close", () => {
  test("cancels the turn, and is answered after its last updates", async () => {
    const wire = await connectWire({
      "session/prompt": async (_params, { turn, signal }) => {
        await turn.message("Working");
        await untilAborted(signal).catch(() => {});
        await turn.message("Bye");
        return end;
      },
    });
    await wire.prompt("Go");
    await wire.peer.call("session/close", { sessionId: "s" });
    expect((await wire.news()).slice(4)).toEqual(["agent_message_chunk: Bye", "idle cancelled", "answer"]);
    expect(await wire.prompt("Again")).toMatchObject({ error: { code: -32002, data: { sessionId: "s" } } });
  });

  test("cancels questions without a turn, which a cancel does not", async () => {
    const outcomes: unknown[] = [];
    const wire = await connectWire({
      "session/prompt": (_params, { session }) => {
        const options = [{ optionId: "1", name: "Yes", kind: "allow_once" as const }];
        session.client.request("session/request_permission", { title: "Restart?", options }).catch((error: unknown) => {
          outcomes.push((error as Error).name);
        });
        return end;
      },
    });
    await wire.prompt("Go");
    await wire.news();
    wire.peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    expect(await wire.news()).toEqual([]);
    await wire.peer.call("session/close", { sessionId: "s" });
    expect(await wire.news()).toEqual(["$/cancel_request", "answer"]);
    expect(outcomes).toEqual(["AbortError"]);
  });

  test("of a session that is not open succeeds", async () => {
    const wire = await connectWire({ "session/prompt": () => end });
    expect(await wire.peer.call("session/close", { sessionId: "other" })).toMatchObject({ result: {} });
  });
});

test("a client that goes aborts the turn, and the end is not reported", async () => {
  const reasons: unknown[] = [];
  const wire = await connectWire({
    "session/prompt": async (_params, { turn, signal }) => {
      await turn.accept();
      await untilAborted(signal).catch((reason: unknown) => reasons.push(reason));
      await turn.message("Anybody there?");
      return end;
    },
  });
  await wire.prompt("Go");
  await wire.peer.close();
  await wire.peer.settle();
  expect(reasons).toMatchObject([{ name: "ConnectionClosedError" }]);
  expect(wire.diagnostics).toEqual([]);
});
