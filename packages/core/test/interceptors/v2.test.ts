import { describe, expect, it } from "vitest";
import { RequestError, UsageError } from "../../src/base/errors.ts";
import type { Interceptor } from "../../src/v2/client.ts";
import { chunk, openRawSession } from "../support/raw-agent-v2.ts";

const overloaded = { error: { code: -32603, message: "overloaded" } };
const idle = { stopReason: "end_turn" };

const retry: Interceptor = {
  async call({ next }) {
    try {
      return await next();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return next();
    }
  },
};

describe("interceptors of a client of version 2", () => {
  it("see calls and requests in order, and may answer a request", async () => {
    const seen: string[] = [];
    const log = (name: string): Interceptor => ({
      async call({ method, session, next }) {
        seen.push(`${name} ${method} ${session?.id}`);
        return next();
      },
      async handle(request) {
        seen.push(`${name} ${request.method} ${request.session?.id}`);
        if (name === "a" && request.method === "elicitation/create") return { action: "decline" };
        return request.next();
      },
    });
    const { peer } = await openRawSession({
      interceptors: [log("a"), log("b")],
      capabilities: { elicitation: { form: {} } },
      handlers: { "elicitation/create": () => ({ action: "cancel" }) },
    });
    const schema = { type: "object", properties: {} };
    const reply = await peer.call("elicitation/create", {
      sessionId: "s",
      mode: "form",
      message: "?",
      requestedSchema: schema,
    });
    expect(reply).toMatchObject({ result: { action: "decline" } });
    expect(seen).toEqual(["a session/new undefined", "b session/new undefined", "a elicitation/create s"]);
  });

  it("repeat a prompt that the agent refused", async () => {
    const { session, answer, state } = await openRawSession({ interceptors: [retry] });
    const turn = session.prompt("Hi");
    await answer("session/prompt", overloaded);
    await answer("session/prompt", { result: { messageId: "m" } });
    expect(await turn.accepted).toEqual({ messageId: "m" });
    state("running");
    state("idle", idle);
    expect(await turn.finished).toMatchObject(idle);
  });

  it("cannot repeat a prompt that has updates, or that the agent has accepted", async () => {
    const { session, update, peer } = await openRawSession({
      interceptors: [retry],
      handlers: { "session/update": () => {} },
    });
    const turn = session.prompt("Hi");
    await peer.next(({ method }) => method === "session/prompt");
    update(chunk("Hello"));
    const { id } = peer.received.findLast(({ method }) => method === "session/prompt") ?? {};
    peer.send({ jsonrpc: "2.0", id, ...overloaded });
    await expect(turn.accepted).rejects.toBeInstanceOf(UsageError);
    await expect(turn.finished).rejects.toThrow("session/prompt cannot be repeated");

    let failure: unknown;
    const twice: Interceptor = {
      async call({ method, next }) {
        const result = await next();
        if (method === "session/prompt") failure = await next().catch((error: unknown) => error);
        return result;
      },
    };
    const other = await openRawSession({ interceptors: [twice] });
    const accepted = other.session.prompt("Hi").accepted;
    await other.answer("session/prompt", { result: { messageId: "m" } });
    await accepted;
    expect(failure).toBeInstanceOf(UsageError);
  });

  it("cannot answer a prompt, since only the agent ends its work", async () => {
    const { session, peer } = await openRawSession({
      interceptors: [{ call: async ({ method, next }) => (method === "session/prompt" ? { messageId: "m" } : next()) }],
    });
    const turn = session.prompt("Hi");
    await expect(turn.finished).rejects.toThrow("session/prompt: an interceptor has answered it");
    expect(peer.received.map(({ method }) => method)).not.toContain("session/prompt");
  });

  it("change the params of a new session", async () => {
    const { session, peer } = await openRawSession({
      interceptors: [
        {
          call: async (call) =>
            call.method === "session/new" ? call.next({ ...call.params, cwd: "/elsewhere" }) : call.next(),
        },
      ],
    });
    expect(session.cwd).toBe("/elsewhere");
    expect(peer.received.at(-1)).toMatchObject({ method: "session/new", params: { cwd: "/elsewhere" } });
  });

  it("end with their turn, whether or not its prompt was sent", async () => {
    let hold = true;
    const holding: Interceptor = {
      async call({ method, signal, next }) {
        if (method !== "session/prompt") return next();
        if (hold) return new Promise(() => {});
        return next().catch(async () => {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return next();
        });
      },
    };
    const { session, answer, peer } = await openRawSession({ interceptors: [holding] });
    const unsent = session.prompt("Hi");
    unsent.cancel();
    expect(await unsent.finished).toMatchObject({ stopReason: "cancelled" });
    hold = false;
    const refused = session.prompt("Again");
    await answer("session/prompt", overloaded);
    await peer.settle();
    refused.cancel();
    expect(await refused.finished).toMatchObject({ stopReason: "cancelled" });
    expect(peer.received.filter(({ method }) => method === "session/prompt")).toHaveLength(1);
  });
});
