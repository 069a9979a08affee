// Sessions that are resumed, prompts that overlap, and work that goes on behind or without a prompt.
import { describe, expect, test } from "vitest";
import { connectWire } from "../support/v2-wire.ts";

const end = { stopReason: "end_turn" } as const;
const resume = { sessionId: "s", cwd: "/project" };

describe("session/resume", () => {
  test("is answered after the replay and the state of the session, and the replay is not news", async () => {
    const kept: string[] = [];
    const wire = await connectWire(
      {
        "session/prompt": () => end,
        "session/resume": async ({ replayFrom }, { session }) => {
          if (replayFrom?.type !== "start") return;
          await session.update({
            sessionUpdate: "user_message",
            messageId: "m",
            content: [{ type: "text", text: "Hi" }],
          });
        },
      },
      { onUpdate: ({ sessionUpdate }: { sessionUpdate: string }) => kept.push(sessionUpdate) },
    );
    await wire.peer.call("session/resume", { ...resume, sessionId: "other", replayFrom: { type: "start" } });
    expect(await wire.news()).toEqual(["user_message: Hi", "idle", "answer"]);
    await wire.peer.call("session/resume", { ...resume, sessionId: "other" });
    expect(await wire.news()).toEqual(["idle", "answer"]);
    expect(kept).toEqual([]);
    await wire.prompt("Hello");
    await wire.peer.settle();
    expect(kept).toEqual(["user_message"]);
  });

  test("empties messages that are replayed by chunks, once each, for clients that have them already", async () => {
    const chunk = (kind: "agent_message" | "agent_thought", messageId: string, text: string) =>
      ({ sessionUpdate: `${kind}_chunk`, messageId, content: { type: "text", text } }) as const;
    const wire = await connectWire({
      "session/prompt": () => end,
      "session/resume": async (_params, { session }) => {
        await session.update(chunk("agent_message", "a", "He"));
        await session.update(chunk("agent_thought", "a", "Hm"));
        await session.update({ sessionUpdate: "agent_message", messageId: "b", content: [] });
        await session.update(chunk("agent_message", "b", "Bye"));
        await session.client.notify("session/update", { update: chunk("agent_message", "a", "llo") });
        // In JavaScript.
        await session.update(undefined as never).catch(() => {});
      },
    });
    let seen = 0;
    const updates = (): unknown[] => {
      const fresh = wire.peer.received.slice(seen);
      seen += fresh.length;
      return fresh.flatMap(({ params }) => (params as { readonly update?: unknown } | undefined)?.update ?? []);
    };
    await wire.peer.call("session/resume", { ...resume, replayFrom: { type: "start" } });
    expect(updates()).toMatchObject([
      { sessionUpdate: "agent_message", messageId: "a", content: [] },
      { sessionUpdate: "agent_message_chunk", messageId: "a" },
      { sessionUpdate: "agent_thought", messageId: "a", content: [] },
      { sessionUpdate: "agent_thought_chunk", messageId: "a" },
      { sessionUpdate: "agent_message", messageId: "b", content: [] },
      { sessionUpdate: "agent_message_chunk", messageId: "b" },
      { sessionUpdate: "agent_message_chunk", messageId: "a", content: { text: "llo" } },
      { sessionUpdate: "state_update" },
    ]);
    // What comes without a replay goes on where the client is.
    await wire.peer.call("session/resume", resume);
    expect(updates()).toMatchObject([
      { messageId: "a", content: { text: "He" } },
      { sessionUpdate: "agent_thought_chunk" },
      { sessionUpdate: "agent_message", messageId: "b" },
      { sessionUpdate: "agent_message_chunk" },
      { sessionUpdate: "agent_message_chunk" },
      { sessionUpdate: "state_update" },
    ]);
  });

  test("refuses a cursor that is not known, and without a handler every session", async () => {
    const wire = await connectWire({ "session/prompt": () => end, "session/resume": () => {} });
    expect(await wire.peer.call("session/resume", { ...resume, replayFrom: "start" })).toMatchObject({
      error: { code: -32602 },
    });
    const other = await connectWire({ "session/prompt": () => end });
    expect(await other.peer.call("session/resume", resume)).toMatchObject({
      error: { code: -32002, data: { sessionId: "s" } },
    });
    expect(await other.peer.call("session/list", {})).toMatchObject({ result: { sessions: [] } });
  });

  test("of a session in which a turn runs ends that, and reports it", async () => {
    const signals: AbortSignal[] = [];
    const wire = await connectWire({
      "session/prompt": async (_params, { turn, signal }) => {
        signals.push(signal);
        await turn.accept();
        await new Promise(() => {});
        return end;
      },
      "session/resume": () => {
        if (signals.length > 1) throw new Error("It is gone");
      },
    });
    await wire.prompt("Go");
    await wire.peer.call("session/resume", resume);
    expect((await wire.news()).slice(3)).toEqual(["idle cancelled", "answer"]);
    expect(signals[0]?.aborted).toBe(true);
    await wire.prompt("Go on");
    await wire.news();
    // It could not be opened again, and goes on as it was, with a turn that has not come to its end.
    expect(await wire.peer.call("session/resume", resume)).toMatchObject({ error: { code: -32603 } });
    expect(await wire.news()).toEqual(["error -32603"]);
  });

  test("reports the session's state before each answer, even when another one is on its way", async () => {
    const finish: (() => void)[] = [];
    const wire = await connectWire({
      "session/prompt": () => end,
      "session/resume": () => new Promise<void>((resolve) => finish.push(resolve)),
    });
    const first = wire.peer.call("session/resume", resume);
    const second = wire.peer.call("session/resume", resume);
    await wire.peer.settle();
    finish[0]?.();
    await first;
    expect(await wire.news()).toEqual(["idle", "answer"]);
    finish[1]?.();
    await second;
    expect(await wire.news()).toEqual(["idle", "answer"]);
  });

  test("reports that a turn has ended, even if another such prompt was cancelled for it, or another turn runs", async () => {
    const finish: (() => void)[] = [];
    const wire = await connectWire({
      "session/prompt": async (_params, { turn }) => {
        await turn.accept();
        return new Promise<typeof end>(() => {});
      },
      "session/resume": async ({ _meta }, { session }) => {
        if (_meta?.["run"] === true) void session.run(() => new Promise(() => {}));
        else await new Promise<void>((resolve) => finish.push(resolve));
      },
    });
    await wire.prompt("Go");
    const resuming = [wire.peer.call("session/resume", resume), wire.peer.call("session/resume", resume)];
    await wire.peer.settle();
    for (const resolve of finish.toReversed()) resolve();
    await Promise.all(resuming);
    // Each says so before its answer; that it is given up for the other is known only then.
    expect((await wire.news()).slice(3)).toEqual(["idle cancelled", "idle cancelled", "answer", "error -32800"]);
    await wire.prompt("Go on");
    await wire.peer.call("session/resume", { ...resume, _meta: { run: true } });
    expect((await wire.news()).slice(3)).toEqual(["running", "running", "answer"]);
  });

  test("is followed by the end of its turn when it is closed before it is open again", async () => {
    const wire = await connectWire({
      "session/prompt": (_params, { turn, signal }) =>
        turn.message("Hm").then(() => new Promise((_resolve, reject) => signal.addEventListener("abort", reject))),
      "session/resume": () => new Promise<void>(() => {}),
    });
    await wire.peer.call("session/prompt", { sessionId: "s", prompt: [{ type: "text", text: "Go" }] });
    await wire.peer.settle();
    await wire.news();
    void wire.peer.call("session/resume", resume);
    await wire.peer.settle();
    await wire.peer.call("session/close", { sessionId: "s" });
    expect((await wire.news()).slice(0, 2)).toEqual(["idle cancelled", "answer"]);
  });

  test("has the list of background work in its state, if there was one", async () => {
    const wire = await connectWire({
      "session/prompt": async (_params, { turn, session }) => {
        const { id } = await turn.toolCall({ title: "Build" });
        await session.setBackground([{ type: "tool_call", toolCallId: id }]);
        return end;
      },
      "session/resume": () => {},
    });
    await wire.peer.call("session/prompt", { sessionId: "s", prompt: [{ type: "text", text: "Go" }] });
    await wire.peer.settle();
    await wire.peer.call("session/resume", resume);
    const states = (wire.peer.received as { params?: { update?: { sessionUpdate: string } } }[])
      .flatMap(({ params }) => params?.update ?? [])
      .filter(({ sessionUpdate }) => sessionUpdate === "state_update");
    expect(states.at(-1)).toEqual({ sessionUpdate: "state_update", state: "idle", background: [] });
  });

  test("reports a turn that a later prompt or the session itself has started meanwhile", async () => {
    let finish = (): void => {};
    const wire = await connectWire({
      "session/prompt": () => end,
      "session/resume": (_params, { session }) => {
        void session.run(() => new Promise((resolve) => (finish = () => resolve(end))));
      },
    });
    await wire.peer.call("session/resume", resume);
    expect(await wire.news()).toEqual(["running", "running", "answer"]);
    finish();
    expect(await wire.news()).toEqual(["idle end_turn"]);
  });
});

describe("a prompt that comes while a turn runs", () => {
  const handler = () => {
    const finish: (() => void)[] = [];
    const prompt = async (_params: unknown, { turn }: { turn: { accept(): Promise<void> } }) => {
      await turn.accept();
      await new Promise<void>((resolve) => finish.push(resolve));
      return end;
    };
    return { finish, prompt };
  };

  test("waits for it, and is accepted when its own turn starts", async () => {
    const { finish, prompt } = handler();
    const wire = await connectWire({ "session/prompt": prompt });
    void wire.prompt("One");
    void wire.prompt("Two");
    expect(await wire.news()).toEqual(["answer", "user_message: One", "running"]);
    finish[0]?.();
    expect(await wire.news()).toEqual(["idle end_turn", "answer", "user_message: Two", "running"]);
  });

  test("runs in parallel, and the session is idle when both are over", async () => {
    const { finish, prompt } = handler();
    const wire = await connectWire({ "session/prompt": prompt }, { overlappingPrompts: "alongside" });
    void wire.prompt("One");
    void wire.prompt("Two");
    expect(await wire.news()).toEqual(["answer", "user_message: One", "running", "answer", "user_message: Two"]);
    finish[0]?.();
    expect(await wire.news()).toEqual([]);
    finish[1]?.();
    expect(await wire.news()).toEqual(["idle end_turn"]);
  });

  test("reports how the session became idle when it ends before a cancelled one", async () => {
    const finish: (() => void)[] = [];
    const wire = await connectWire(
      {
        "session/prompt": async (_params, { turn }) => {
          await turn.accept();
          await new Promise<void>((resolve) => finish.push(resolve));
          return end;
        },
      },
      { overlappingPrompts: "alongside" },
    );
    await wire.prompt("One");
    wire.peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    await wire.prompt("Two");
    await wire.news();
    finish[1]?.();
    expect(await wire.news()).toEqual([]);
    finish[0]?.();
    expect(await wire.news()).toEqual(["idle end_turn"]);
    // What was said of those says nothing of later ones.
    await wire.prompt("Three");
    wire.peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    await wire.news();
    finish[2]?.();
    expect(await wire.news()).toEqual(["idle cancelled"]);
  });

  test("is refused, or replaces it, for an agent that wants that", async () => {
    const { prompt } = handler();
    const wire = await connectWire({ "session/prompt": prompt }, { overlappingPrompts: "refuse" });
    void wire.prompt("One");
    expect(await wire.prompt("Two")).toMatchObject({ error: { code: -32600 } });
    const other = await connectWire(
      {
        "session/prompt": async (_params, { turn, signal }) => {
          await turn.accept();
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return end;
        },
      },
      { overlappingPrompts: "replace" },
    );
    void other.prompt("One");
    await other.peer.settle();
    void other.prompt("Two");
    expect((await other.news()).slice(3)).toEqual(["idle cancelled", "answer", "user_message: Two", "running"]);
  });
});

describe("work in the background", () => {
  test("of a turn that ends before another one is reported at once, and with the idle state", async () => {
    const finish: (() => void)[] = [];
    const background = [{ type: "tool_call" as const, toolCallId: "1" }];
    const wire = await connectWire(
      {
        "session/prompt": async (_params, { turn }) => {
          await turn.accept();
          await new Promise<void>((resolve) => finish.push(resolve));
          return finish.length === 1 ? end : { ...end, background: finish.splice(1) && background };
        },
      },
      { overlappingPrompts: "alongside" },
    );
    await wire.prompt("One");
    await wire.prompt("Two");
    await wire.news();
    finish[1]?.();
    expect(await wire.news()).toEqual(["running"]);
    finish[0]?.();
    expect(await wire.news()).toEqual(["idle end_turn"]);
    const states = wire.peer.received.slice(-2).map(({ params }) => params);
    expect(states).toMatchObject([{ update: { background } }, { update: { background } }]);
  });

  test("that starts a turn in a session that has ended meanwhile ends no program", async () => {
    let begin = (): void => {};
    const wire = await connectWire({
      "session/prompt": (_params, { session }) => {
        // Nobody waits for it: Vitest fails for a rejection that counts as unhandled.
        begin = () => void session.run(() => end);
        return end;
      },
    });
    await wire.prompt("Go");
    await wire.peer.call("session/close", { sessionId: "s" });
    await wire.news();
    begin();
    expect(await wire.news()).toEqual([]);
  });

  test("is reported with every later state, and its tool call continues after the turn", async () => {
    let finish = (): void => {};
    const wire = await connectWire({
      "session/prompt": async ({ prompt }, { turn, session }) => {
        if (JSON.stringify(prompt).includes("Again")) return { ...end, background: undefined };
        const call = await turn.toolCall({ title: "Watch" });
        finish = () => {
          void call.complete("Seen").then(() => session.setBackground([]));
        };
        return { ...end, background: [{ type: "tool_call", toolCallId: call.id }] };
      },
    });
    const states = (): unknown[] =>
      wire.peer.received
        .map(({ params }) => (params as { update?: { state?: string; background?: unknown } } | undefined)?.update)
        .filter((update) => update?.state !== undefined)
        .map((update) => update?.background);
    await wire.prompt("Go");
    await wire.prompt("Again");
    await wire.news();
    const list = [{ type: "tool_call", toolCallId: expect.any(String) }];
    expect(states()).toEqual([undefined, list, list, list]);
    finish();
    expect(await wire.news()).toEqual(["tool_call_update completed: Seen", "idle"]);
    expect(states().at(-1)).toEqual([]);
  });

  test("may start a turn that no prompt asked for", async () => {
    const outcomes: unknown[] = [];
    let begin = (): Promise<void> => Promise.resolve();
    const wire = await connectWire({
      "session/prompt": (_params, { session }) => {
        begin = () =>
          session.run(async ({ turn, requestId }) => {
            outcomes.push(turn.messageId, requestId);
            await turn.message("The build is done");
            if (outcomes.length > 2) throw new Error("Not again");
            return { stopReason: "end_turn" };
          });
        return end;
      },
    });
    await wire.prompt("Build");
    await wire.news();
    await begin();
    expect(await wire.news()).toEqual(["running", "agent_message_chunk: The build is done", "idle end_turn"]);
    await begin();
    expect((await wire.news()).at(-1)).toBe("idle error");
    expect(outcomes).toEqual([undefined, undefined, undefined, undefined]);
    await wire.peer.call("session/close", { sessionId: "s" });
    await expect(begin()).rejects.toThrow("session.run: the session has ended, or is being opened again");
  });
});

describe("tool_call/cancel and terminal/cancel", () => {
  test("abort exactly the work that was reported as cancellable", async () => {
    const wire = await connectWire({
      "session/prompt": async (_params, { turn }) => {
        const call = await turn.toolCall({ toolCallId: "c", title: "Wait", capabilities: { cancel: {} } });
        await turn.toolCall({ toolCallId: "other", title: "Do" });
        await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
        await call.cancelled();
        return end;
      },
    });
    await wire.prompt("Go");
    await wire.news();
    const cancel = (toolCallId: string) => wire.peer.call("tool_call/cancel", { sessionId: "s", toolCallId });
    expect(await cancel("other")).toMatchObject({ error: { code: -32602, data: { path: "/toolCallId" } } });
    expect(await cancel("c")).toMatchObject({ result: {} });
    expect((await wire.news()).slice(1)).toEqual(["answer", "tool_call_update cancelled", "idle end_turn"]);
    expect(await cancel("c")).toMatchObject({ error: { code: -32602 } });
  });

  test("abort a terminal's signal, and may report its output and end after the turn", async () => {
    let exited: Promise<void> | undefined;
    const wire = await connectWire({
      "session/prompt": async (_params, { turn }) => {
        const terminal = await turn.terminal({ terminalId: "t", command: "make", capabilities: { cancel: {} } });
        await terminal.output("caf\u00e9");
        terminal.signal.addEventListener("abort", () => {
          exited = terminal.output(new Uint8Array([0, 255])).then(() => terminal.exited({ signal: "SIGTERM" }));
        });
        return { ...end, background: [{ type: "terminal", terminalId: terminal.id }] };
      },
    });
    await wire.prompt("Go");
    await wire.news();
    expect(await wire.peer.call("terminal/cancel", { sessionId: "s", terminalId: "t" })).toMatchObject({ result: {} });
    expect((await wire.news()).toSorted()).toEqual(["answer", "terminal_output_chunk", "terminal_update"]);
    await exited;
    const data = wire.peer.received.map(({ params }) => (params as { update?: { data?: string } } | undefined)?.update);
    expect(data.flatMap((update) => update?.data ?? [])).toEqual(["Y2Fmw6k=", "AP8="]);
  });

  test("reach a handler, for a terminal that has not exited", async () => {
    const cancelled: string[] = [];
    const terminal = { sessionUpdate: "terminal_update", terminalId: "t" } as const;
    const wire = await connectWire({
      "session/prompt": async (_params, { session }) => {
        await session.update({ ...terminal, capabilities: { cancel: {} } });
        return end;
      },
      "terminal/cancel": async ({ terminalId }, { session }) => {
        cancelled.push(terminalId);
        await session.update({ ...terminal, exitStatus: { exitCode: 143 } });
      },
    });
    await wire.prompt("Go");
    const cancel = () => wire.peer.call("terminal/cancel", { sessionId: "s", terminalId: "t" });
    expect(await cancel()).toMatchObject({ result: {} });
    expect(await cancel()).toMatchObject({ error: { code: -32602 } });
    expect(cancelled).toEqual(["t"]);
  });

  test("abort background work when the session ends", async () => {
    const signals: AbortSignal[] = [];
    const wire = await connectWire({
      "session/prompt": async (_params, { turn }) => {
        const call = await turn.toolCall({ title: "Watch", capabilities: { cancel: {} } });
        signals.push(call.signal);
        call.signal.addEventListener("abort", () => void call.cancelled());
        return end;
      },
    });
    await wire.prompt("Go");
    await wire.news();
    wire.peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    await wire.peer.settle();
    expect(signals[0]?.aborted).toBe(false);
    await wire.news();
    await wire.peer.call("session/close", { sessionId: "s" });
    expect(signals[0]?.aborted).toBe(true);
    expect(await wire.news()).toEqual(["tool_call_update cancelled", "answer"]);
  });
});

test("session/set_config_option accepts exactly the session's offers", async () => {
  const values = [
    { value: "fast", name: "Fast" },
    { value: "deep", name: "Deep" },
  ];
  const option = (currentValue: string) =>
    ({ type: "select", configId: "model", name: "Model", currentValue, options: values }) as const;
  const wire = await connectWire({
    "session/prompt": () => end,
    "session/new": (_params, { session }) => ({ sessionId: session.id, configOptions: [option("fast")] }),
    "session/set_config_option": (params) => ({
      configOptions: [option(params.type === "id" ? params.value : "fast")],
    }),
  });
  const set = (configId: string, value: string) =>
    wire.peer.call("session/set_config_option", { sessionId: "s", type: "id", configId, value });
  expect(await set("model", "deep")).toMatchObject({ result: { configOptions: [{ currentValue: "deep" }] } });
  expect(await set("model", "slow")).toMatchObject({ error: { code: -32602, data: { path: "/value" } } });
  expect(await set("mode", "deep")).toMatchObject({ error: { code: -32602, data: { path: "/configId" } } });
});
