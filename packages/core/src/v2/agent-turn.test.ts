// A turn from its prompt to its idle state, as it looks on the wire.
import { describe, expect, test, vi } from "vitest";
import { RequestError } from "../base/errors.ts";
import { connectWire } from "../../test/support/v2-wire.ts";

const end = { stopReason: "end_turn" } as const;

describe("a prompt that is accepted", () => {
  test("is answered, echoed, run and reported as finished, in this order", async () => {
    const wire = await connectWire({
      "session/prompt": async (_params, { turn }) => {
        await turn.message("Hi");
        return end;
      },
    });
    const { result } = await wire.prompt("Hello");
    const { messageId } = result as { messageId: string };
    expect(await wire.news()).toEqual([
      "answer",
      "user_message: Hello",
      "running",
      "agent_message_chunk: Hi",
      "idle end_turn",
    ]);
    const echo = wire.peer.received.find(({ params }) => JSON.stringify(params)?.includes("user_message"));
    expect(echo?.["params"]).toMatchObject({ update: { messageId } });
  });

  test("is so without a word, when its handler returns", async () => {
    const wire = await connectWire({ "session/prompt": () => end });
    await wire.prompt("Hello");
    expect(await wire.news()).toEqual(["answer", "user_message: Hello", "running", "idle end_turn"]);
  });

  test("is so after a second, even if its handler is still silent", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    try {
      let finish = (): void => {};
      const wire = connectWire({
        "session/prompt": () => new Promise((resolve) => (finish = () => resolve(end))),
      });
      await vi.advanceTimersByTimeAsync(100);
      const { peer, prompt } = await wire;
      const answer = prompt("Hello");
      await vi.advanceTimersByTimeAsync(900);
      const before = peer.received.length;
      await vi.advanceTimersByTimeAsync(200);
      expect(peer.received.length).toBeGreaterThan(before);
      expect(await answer).toMatchObject({ result: { messageId: expect.any(String) } });
      finish();
    } finally {
      vi.useRealTimers();
    }
  });

  test("is so when its handler says so, and its message has the id that the handler knows", async () => {
    const ids: unknown[] = [];
    const wire = await connectWire({
      "session/prompt": async (_params, { turn }) => {
        ids.push(turn.messageId);
        await turn.accept();
        await turn.accept();
        throw new Error("too late to refuse");
      },
    });
    expect(await wire.prompt("Hello")).toMatchObject({ result: { messageId: ids[0] } });
    expect(await wire.news()).toEqual(["answer", "user_message: Hello", "running", "idle error"]);
  });
});

describe("a prompt that is refused", () => {
  test("gets the error of its handler, and nothing has happened in the session", async () => {
    const wire = await connectWire({
      "session/prompt": async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        throw RequestError.authRequired();
      },
    });
    expect(await wire.prompt("Hello")).toMatchObject({ error: { code: -32000 } });
    expect(await wire.news()).toEqual(["error -32000"]);
  });

  test("with unadvertised content is refused", async () => {
    const wire = await connectWire({ "session/prompt": () => end });
    const prompt = [{ type: "image", data: "", mimeType: "image/png" }];
    expect(await wire.peer.call("session/prompt", { sessionId: "s", prompt })).toMatchObject({
      error: { code: -32602, data: { path: "/prompt/0/type" } },
    });
  });

  test("in an unknown session gets -32002 with the id", async () => {
    const wire = await connectWire({ "session/prompt": () => end });
    const params = { sessionId: "other", prompt: [{ type: "text", text: "Hello" }] };
    expect(await wire.peer.call("session/prompt", params)).toMatchObject({
      error: { code: -32002, data: { sessionId: "other" } },
    });
  });
});

describe("a turn that fails", () => {
  test("ends with the error that its handler chose, or with one that tells nothing but an id", async () => {
    let fail = (): never => {
      throw new RequestError({ code: 7, message: "No model today", data: { retry: true } });
    };
    const wire = await connectWire({
      "session/prompt": async (_params, { turn }) => {
        await turn.message("Hm");
        return fail();
      },
    });
    await wire.prompt("One");
    const chosen = await wire.peer.next(({ params }) => JSON.stringify(params ?? {}).includes('"idle"'));
    expect(chosen["params"]).toMatchObject({
      update: { stopReason: "error", error: { code: 7, message: "No model today", data: { retry: true } } },
    });
    fail = () => {
      throw new TypeError("a secret of the agent");
    };
    await wire.prompt("Two");
    const other = await wire.peer.next(({ params }) => JSON.stringify(params ?? {}).includes('"idle"'));
    const failure = wire.diagnostics.find(({ type }) => type === "handler-failed");
    expect(failure).toMatchObject({ error: new TypeError("a secret of the agent") });
    expect(other["params"]).toMatchObject({
      update: {
        error: { code: -32603, data: { correlationId: (failure as { correlationId: string }).correlationId } },
      },
    });
    expect(JSON.stringify(other)).not.toContain("secret");
  });
});

describe("a turn that is over", () => {
  test("ends with an error if its handler's result cannot be sent", async () => {
    const bad = { _meta: { tokens: 1n } };
    const ends = [
      async () => ({ stopReason: "end_turn" as const, ...bad }),
      async () => Promise.reject(new RequestError({ code: -32_001, message: "No", data: bad })),
    ];
    const wire = await connectWire({
      "session/prompt": async (_params, { turn, session }) => {
        await turn.message("Hm");
        // It is refused, and no state has it from then on.
        const refused = session.setBackground([{ type: "tool_call", toolCallId: "1", ...bad }]);
        await expect(refused).rejects.toThrow("cannot be written as JSON");
        return ends.shift()!();
      },
    });
    for (const failures of [1, 2]) {
      await wire.prompt("Go");
      expect((await wire.news()).at(-1)).toBe("idle error");
      expect(wire.peer.received.at(-1)).toMatchObject({ params: { update: { error: { code: -32603 } } } });
      expect(wire.diagnostics.filter(({ type }) => type === "handler-failed")).toHaveLength(failures);
    }
  });

  test("rejects later updates of the turn, and reports them", async () => {
    let late: Promise<unknown> | undefined;
    const wire = await connectWire({
      "session/prompt": (_params, { turn }) => {
        setTimeout(() => {
          late = turn.message("One more thing");
        }, 0);
        return end;
      },
    });
    await wire.prompt("Hello");
    await wire.news();
    await expect(late).rejects.toThrow("The turn has ended; use session.update for updates between turns");
    expect(wire.diagnostics).toMatchObject([{ type: "handler-failed" }]);
  });
});

describe("an update of a turn", () => {
  test("has ids: of messages, thoughts, plans and tool calls", async () => {
    const wire = await connectWire({
      "session/prompt": async (_params, { turn }) => {
        await turn.thought("Let me see");
        await turn.plan([{ content: "Look", priority: "high", status: "pending" }]);
        await turn.plan([{ content: "Look", priority: "high", status: "completed" }]);
        const call = await turn.toolCall({ title: "Look", kind: "read" });
        await call.append("1");
        await call.append([{ type: "text", text: "2" }]);
        await call.update({ title: "Look again", content: null });
        await call.complete("done");
        await turn.message(
          (async function* () {
            yield "a";
            yield "";
            yield "b";
          })(),
        );
        return end;
      },
    });
    await wire.prompt("Hello");
    expect((await wire.news()).slice(3)).toEqual([
      "agent_thought_chunk: Let me see",
      "plan_update",
      "plan_update",
      "tool_call_update in_progress",
      "tool_call_content_chunk: 1",
      "tool_call_content_chunk: 2",
      "tool_call_update",
      "tool_call_update completed: done",
      "agent_message_chunk: a",
      "agent_message_chunk: b",
      "idle end_turn",
    ]);
    const updates = wire.peer.received.flatMap(
      ({ params }) => (params as { update?: object } | undefined)?.update ?? [],
    );
    const ids = updates.map((update) => (update as { messageId?: string }).messageId);
    expect(new Set(ids.filter((id) => id !== undefined)).size).toBe(3);
    // One plan for the turn, with an id of its own.
    const plans = updates.flatMap((update) => (update as { plan?: { planId: string } }).plan?.planId ?? []);
    expect(plans).toEqual([expect.any(String), plans[0]]);
  });
});

test("a path that is only shown is sent as one in the session's cwd, and a diagnostic tells", async () => {
  const wire = await connectWire({
    "session/prompt": async (_params, { turn }) => {
      const call = await turn.toolCall({ title: "Edit", locations: [{ path: "src/a.ts", line: 0 }] });
      await call.append([{ type: "diff", changes: [{ operation: "add", path: "src/b.ts" }] }]);
      return end;
    },
  });
  await wire.prompt("Go");
  await wire.news();
  const text = JSON.stringify(wire.peer.received);
  expect(text).toContain('"locations":[{"path":"/project/src/a.ts"}]');
  expect(text).toContain('"changes":[{"operation":"add","path":"/project/src/b.ts"}]');
  expect(wire.diagnostics.map(({ type }) => type)).toEqual(["rule", "rule", "rule"]);
});
