// What a client asks of a session while its agent still resumes it: in one piece with `session/resume`, for example.
import { describe, expect, it } from "vitest";
import type { AgentSession } from "./agent-session.ts";
import { connectWire } from "./testing/wire.ts";

interface Opening {
  readonly session: AgentSession<unknown>;
  finish(): void;
  fail(error: Error): void;
}

/** An agent that has a session resumed when the test says so; what its handlers knew of the session. */
async function connect() {
  const openings: Opening[] = [];
  const states: unknown[] = [];
  const wire = await connectWire(
    {
      "session/resume": (_params, { session }) =>
        new Promise<void>((finish, fail) => openings.push({ session, finish, fail })),
      "session/prompt": (_params, { session }) => {
        states.push(session.state);
        return { stopReason: "end_turn" };
      },
      "session/set_config_option": (_params, { session }) => {
        states.push(session.state);
        return { configOptions: [] };
      },
    },
    { session: () => ({ turns: 0 }) },
  );
  const send = (method: string, more: object = {}, id: string | undefined = method): void =>
    wire.peer.send({ jsonrpc: "2.0", id, method, params: { sessionId: "other", ...more } });
  const resume = (id?: string): void => send("session/resume", { cwd: "/project" }, id);
  const prompt = (): void => send("session/prompt", { prompt: [{ type: "text", text: "Hello" }] });
  const answers = (): Record<string, unknown> =>
    Object.fromEntries(
      wire.peer.received.flatMap(({ id, error }) =>
        typeof id === "string" ? [[id, (error as { code: number } | undefined)?.code ?? "done"]] : [],
      ),
    );
  return { ...wire, openings, states, send, resume, prompt, answers };
}

describe("a prompt, and an option, for a session that is being resumed", () => {
  it("wait for its state and behind its history", async () => {
    const { peer, diagnostics, openings, states, send, resume, prompt, answers, news } = await connect();
    resume();
    send("session/set_config_option", { configId: "c", type: "id", value: "v" });
    prompt();
    await peer.settle();
    await openings[0]?.session.update({ sessionUpdate: "session_info_update", title: "Replayed" });
    openings[0]?.finish();
    expect((await news()).slice(0, 3)).toEqual(["session_info_update", "idle", "answer"]);
    expect(answers()).toEqual({
      "session/resume": "done",
      "session/set_config_option": "done",
      "session/prompt": "done",
    });
    expect(states).toEqual([{ turns: 0 }, { turns: 0 }]);
    expect(diagnostics).toEqual([]);
  });

  it("are refused where it cannot be resumed", async () => {
    const { peer, openings, states, send, resume, prompt, answers } = await connect();
    resume();
    send("session/set_config_option", { configId: "c", type: "id", value: "v" });
    prompt();
    await peer.settle();
    openings[0]?.fail(new Error("gone"));
    await peer.settle();
    expect(answers()).toEqual({
      "session/resume": -32603,
      "session/set_config_option": -32002,
      "session/prompt": -32002,
    });
    expect(states).toEqual([]);
  });

  it.each<[string, (connected: Awaited<ReturnType<typeof connect>>) => void]>([
    [
      "it is cancelled",
      ({ peer }) => peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "other" } }),
    ],
    ["it is closed", ({ send }) => send("session/close")],
    ["it is resumed again", ({ resume }) => resume("again")],
    [
      "the prompt is taken back",
      ({ peer }) => peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "session/prompt" } }),
    ],
  ])("are over when %s", async (_when, end) => {
    const connected = await connect();
    const { peer, openings, states, resume, prompt, answers } = connected;
    resume("first");
    prompt();
    await peer.settle();
    end(connected);
    await peer.settle();
    for (const { finish } of openings) finish();
    await peer.settle();
    expect(answers()["session/prompt"]).toBe(-32800);
    expect(states).toEqual([]);
  });
});
