// Questions of an agent of version 2 to the user.
import { describe, expect, it } from "vitest";
import { askPermission, elicitForm, elicitUrl } from "../../src/kit/v2/entry.ts";
import type { AgentRequestContext } from "../../src/v2/agent-handlers.ts";
import type { AgentTurn } from "../../src/v2/agent-turn.ts";
import { connect } from "../../src/kit/v2/testing/connected.ts";

/** A client that is asked, and answers what the list says, one after another. */
function asked(method: string, ...answers: object[]): { readonly questions: object[]; readonly client: object } {
  const questions: object[] = [];
  const client = {
    [method]: (params: object) => {
      questions.push(params);
      return answers[questions.length - 1];
    },
  };
  return { questions, client };
}

const selected = (optionId: string): object => ({ outcome: { outcome: "selected", optionId } });
const askedPermission = (...answers: object[]): ReturnType<typeof asked> =>
  asked("session/request_permission", ...answers);

describe("askPermission()", () => {
  const call = (turn: AgentTurn, more: object = {}): ReturnType<AgentTurn["toolCall"]> =>
    turn.toolCall({ title: "Edit a.ts", status: "pending", ...more });

  it("asks about the call, offers one-time options, and reports the choice", async () => {
    const { client, questions } = askedPermission(selected("allow_once"), selected("reject_once"));
    const { turn, states } = await connect({ client });
    const [answers, toolCallId] = await turn(async (agentTurn) => {
      const edit = await call(agentTurn);
      const first = await askPermission(edit, { description: "Two hunks" });
      return [[first, await askPermission(edit, { title: "Really?" })], edit.id] as const;
    });
    expect(answers).toMatchObject([
      { allowed: true, option: { kind: "allow_once" }, remembered: false },
      { allowed: false, option: { kind: "reject_once" }, remembered: false },
    ]);
    const subject = { type: "tool_call", toolCall: { toolCallId } };
    const options = [
      { optionId: "allow_once", name: "Allow", kind: "allow_once" },
      { optionId: "reject_once", name: "Reject", kind: "reject_once" },
    ];
    expect(questions).toMatchObject([
      { title: "Edit a.ts", description: "Two hunks", subject, options },
      { title: "Really?", subject, options },
    ]);
    expect(states).toEqual(["running", "requires_action", "running", "requires_action", "running", "idle"]);
  });

  it("asks in a turn about something other than a tool call", async () => {
    const { client, questions } = askedPermission(selected("allow_always"));
    const { turn } = await connect({ client });
    const subject = { type: "command", command: "npm test", cwd: "/project" } as const;
    const answers = await turn(async (agentTurn) => [
      await askPermission(agentTurn, { title: "Run npm test?", subject, remember: "npm test" }),
      await askPermission(agentTurn, { title: "Run npm test?", subject, remember: "npm test" }),
    ]);
    expect(answers).toMatchObject([
      { allowed: true, remembered: false },
      { allowed: true, remembered: true },
    ]);
    expect(questions).toMatchObject([{ title: "Run npm test?", subject }]);
    expect(questions[0]).toHaveProperty("options.length", 4);
  });

  it("does not grant permission when the turn is cancelled, and asks nobody after it", async () => {
    let isAsked = (): void => {};
    const asking = new Promise<void>((resolve) => (isAsked = resolve));
    const client = {
      "session/request_permission": async (_: unknown, { signal }: { signal: AbortSignal }) => {
        isAsked();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return selected("allow_once");
      },
    };
    const { turn, session } = await connect({ client });
    const answers = turn(async (agentTurn) => {
      const edit = await call(agentTurn);
      return [await askPermission(edit), await askPermission(edit, { remember: "edit" })];
    });
    await asking;
    await session.agent.notify("session/cancel", {});
    const no = { allowed: false, option: undefined, remembered: false };
    expect(await answers).toEqual([no, no]);
  });

  it("does not grant permission for a call that the client has cancelled meanwhile", async () => {
    const { turn, session } = await connect({
      client: {
        "session/request_permission": async ({ subject }: { subject: { toolCall: { toolCallId: string } } }) => {
          await session.agent.request("tool_call/cancel", { toolCallId: subject.toolCall.toolCallId });
          return selected("allow_once");
        },
      },
    });
    const answer = await turn(async (agentTurn) => {
      const permission = await askPermission(await call(agentTurn, { capabilities: { cancel: {} } }));
      return [permission.allowed, agentTurn.signal.aborted];
    });
    expect(answer).toEqual([false, false]);
  });

  it("is refused once the turn has ended", async () => {
    const { turn } = await connect(askedPermission());
    const late = await turn(async (agentTurn) => [await call(agentTurn)] as const);
    await expect(askPermission(late[0])).rejects.toMatchObject({ code: "usage" });
    await expect(askPermission(late[0].turn, { title: "x" })).rejects.toMatchObject({ code: "usage" });
  });
});

const form = {
  message: "Where to?",
  schema: { properties: { stage: { type: "string", enum: ["test", "live"] } }, required: ["stage"] },
} as const;
const capabilities = { elicitation: { form: {}, url: {} } };
const askedUser = (...answers: object[]): ReturnType<typeof asked> => asked("elicitation/create", ...answers);

describe("elicitForm()", () => {
  it("asks in the turn, which waits for the user, and checks the answer", async () => {
    const { client, questions } = askedUser(
      { action: "accept", content: { stage: "test" } },
      { action: "accept", content: { stage: "moon" } },
      { action: "decline", content: { stage: "live" } },
      { action: "_postpone" },
    );
    const { turn, states, session } = await connect({ client, capabilities });
    const answers = await turn(async (agentTurn) => {
      const call = await agentTurn.toolCall({ title: "Deploy" });
      return [
        await elicitForm(agentTurn, { ...form, call }),
        await elicitForm(agentTurn, form),
        await elicitForm(agentTurn, form),
        await elicitForm(agentTurn, form),
      ];
    });
    expect(answers).toMatchObject([
      { action: "accept", content: { stage: "test" } },
      { action: "failed", error: { code: "protocol_violation" } },
      { action: "decline" },
      { action: "failed", error: { code: "protocol_violation" } },
    ]);
    expect(questions[0]).toEqual({
      mode: "form",
      message: "Where to?",
      requestedSchema: { type: "object", ...form.schema },
      sessionId: session.id,
      toolCallId: expect.any(String) as string,
    });
    expect(states.slice(0, 3)).toEqual(["running", "requires_action", "running"]);
  });

  it("fails as a value where the client shows no forms, and the turn continues", async () => {
    const { turn, states } = await connect();
    const answer = await turn((agentTurn) => elicitForm(agentTurn, form));
    expect(answer).toMatchObject({ action: "failed", error: { code: "missing_capability" } });
    expect(states).toEqual(["running", "idle"]);
  });

  it("is withdrawn once when the turn is cancelled, and rejects with the reason", async () => {
    const withdrawn: unknown[] = [];
    let isAsked = (): void => {};
    const asking = new Promise<void>((resolve) => (isAsked = resolve));
    const client = {
      "elicitation/create": async (_: unknown, { signal }: { signal: AbortSignal }) => {
        isAsked();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        withdrawn.push(signal.reason);
        return { action: "accept", content: { stage: "test" } };
      },
    };
    const { turn, session } = await connect({ client, capabilities });
    const [outcome] = await turn(async (agentTurn) => {
      const answer = elicitForm(agentTurn, form);
      await asking;
      await session.agent.notify("session/cancel", {});
      return [await answer.catch((error: unknown) => error === agentTurn.signal.reason)] as const;
    });
    expect(outcome).toBe(true);
    await expect.poll(() => withdrawn.length).toBe(1);
  });

  it("is refused for a field that there is not, and once the turn has ended", async () => {
    const { turn } = await connect({ capabilities, ...askedUser() });
    const [late] = await turn(async (agentTurn) => {
      const required = ["stge"] as unknown as ["stage"];
      const wrong = { ...form, schema: { ...form.schema, required } };
      await expect(elicitForm(agentTurn, wrong)).rejects.toMatchObject({ code: "usage" });
      return [agentTurn] as const;
    });
    await expect(elicitForm(late, form)).rejects.toMatchObject({ code: "usage" });
  });
});

describe("elicitUrl()", () => {
  it("belongs to the request whose handler asks, such as a login, and can be reported as completed", async () => {
    const done: string[] = [];
    const { client, questions } = askedUser({ action: "accept" });
    const { agent } = await connect({
      capabilities,
      client: {
        ...client,
        "elicitation/complete": ({ elicitationId }: { elicitationId: string }) => void done.push(elicitationId),
      },
      agent: { authMethods: [{ type: "agent", methodId: "web", name: "Web" }] },
      handlers: {
        "auth/logout": () => {},
        "auth/login": async (_: unknown, context: AgentRequestContext) => {
          const answer = await elicitUrl(context, {
            message: "Log in",
            url: "https://example.com",
            elicitationId: "e",
          });
          if (answer.action === "accept") await answer.complete();
        },
      },
    });
    await agent.authenticate("web");
    await expect.poll(() => done).toEqual(["e"]);
    expect(questions).toEqual([
      {
        mode: "url",
        message: "Log in",
        url: "https://example.com",
        elicitationId: "e",
        requestId: expect.anything() as unknown,
      },
    ]);
  });
});
