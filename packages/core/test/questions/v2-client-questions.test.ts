import { describe, expect, it } from "vitest";
import { openRawSession, type RawSession } from "../support/raw-agent-v2.ts";

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const cancelled = { outcome: { outcome: "cancelled" } };
const ofCall = (toolCallId: string): object => ({ subject: { type: "tool_call", toolCall: { toolCallId } } });

/** Asks for permission, and returns what comes back. */
const ask = (raw: RawSession, more: object = {}): Promise<Record<string, unknown>> =>
  raw.peer.call("session/request_permission", { sessionId: "s", title: "May I?", options, ...more });

/** A client whose user never answers, with what is told to the question's signal. */
async function withUser(): Promise<RawSession & { readonly aborted: string[] }> {
  const aborted: string[] = [];
  const raw = await openRawSession({
    handlers: {
      "session/request_permission": ({ title }, { signal }) =>
        new Promise<never>(() => signal.addEventListener("abort", () => aborted.push(title))),
    },
  });
  return { ...raw, aborted };
}

describe("a client that is asked for permission", () => {
  it("rejects without a handler, and reports it", async () => {
    const raw = await openRawSession();
    expect(await ask(raw)).toMatchObject({ result: { outcome: { outcome: "selected", optionId: "no" } } });
    expect(raw.diagnostics).toMatchObject([{ type: "rule", rule: "INIT-18" }]);
  });

  it("passes on an answer, of the options that were offered", async () => {
    let optionId = "yes";
    const raw = await openRawSession({
      handlers: { "session/request_permission": () => ({ outcome: { outcome: "selected", optionId } }) },
    });
    const events: string[] = [];
    raw.session.observe(({ type }) => events.push(type));
    expect(await ask(raw, ofCall("c"))).toMatchObject({ result: { outcome: { optionId: "yes" } } });
    expect(events).toEqual(["opened", "permission_requested"]);
    optionId = "maybe";
    expect(await ask(raw)).toMatchObject({ error: { code: -32603 } });
  });

  it("does not know a session that it has closed, and names it", async () => {
    const raw = await openRawSession();
    const closing = raw.session.close();
    await raw.answer("session/close", { result: {} });
    await closing;
    const answer = await ask(raw);
    expect(answer).toMatchObject({ error: { code: -32002, data: { sessionId: "s" } } });
  });

  it("answers a question that the agent withdraws as cancelled, whatever its handler does", async () => {
    const raw = await withUser();
    const asking = ask(raw);
    await raw.peer.settle();
    raw.peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 101 } });
    expect(await asking).toMatchObject({ result: cancelled });
    expect(raw.aborted).toEqual(["May I?"]);
  });

  it("answers questions for the work that it cancels as cancelled, and keeps asking the rest", async () => {
    const raw = await withUser();
    raw.session.prompt("hello");
    await raw.answer("session/prompt", { result: { messageId: "1" } });
    raw.state("running", { background: [{ type: "tool_call", toolCallId: "b" }] });
    const [foreground, , unknown] = [
      ask(raw, { ...ofCall("c"), title: "foreground" }),
      ask(raw, { ...ofCall("b"), title: "background" }),
      ask(raw, { title: "unknown" }),
    ];
    await raw.peer.settle();
    await raw.session.agent.notify("session/cancel", {});
    expect(await foreground).toMatchObject({ result: cancelled });
    expect(raw.aborted).toEqual(["foreground"]);
    // One that comes while the cancel is on its way: nobody is asked.
    expect(await ask(raw, { ...ofCall("d"), title: "late" })).toMatchObject({ result: cancelled });
    const closing = raw.session.close();
    await raw.answer("session/close", { result: {} });
    expect(await unknown).toMatchObject({ result: cancelled });
    await closing;
    expect(raw.aborted).toEqual(["foreground", "background", "unknown"]);
  });

  it("assumes no foreground work of an agent that does not list its background work", async () => {
    const raw = await withUser();
    const turn = raw.session.prompt("hello");
    await raw.answer("session/prompt", { result: { messageId: "1" } });
    raw.state("running");
    void ask(raw, ofCall("c"));
    await raw.peer.settle();
    turn.cancel();
    await raw.peer.settle();
    expect(raw.aborted).toEqual([]);
  });
});

describe("a client that is asked something else", () => {
  it("answers a question that the agent withdraws with the action cancel", async () => {
    const raw = await openRawSession({
      capabilities: { elicitation: { form: {} } },
      handlers: { "elicitation/create": () => new Promise<never>(() => {}) },
    });
    const params = {
      sessionId: "s",
      mode: "form",
      message: "Who?",
      requestedSchema: { type: "object", properties: {} },
    };
    const asking = raw.peer.call("elicitation/create", params);
    await raw.peer.settle();
    raw.peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 101 } });
    expect(await asking).toMatchObject({ result: { action: "cancel" } });
    const url = { sessionId: "s", mode: "url", message: "Go", elicitationId: "e", url: "https://a.example" };
    expect(await raw.peer.call("elicitation/create", url)).toMatchObject({ error: { code: -32602 } });
  });
});
