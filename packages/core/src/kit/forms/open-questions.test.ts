import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { createMemoryTransportPair } from "../../transport/memory-transport.ts";
import { createAgent } from "../../v1/agent.ts";
import type { AgentSession } from "../../v1/agent-session.ts";
import { type ClientDefinition, createClient } from "../../v1/client.ts";
import type { ClientSession } from "../../v1/client-session.ts";
import { elicitation, type Questions, type UrlQuestion } from "./questions.ts";

const info = { name: "test", version: "1.0.0" };
type AnswerUrl = NonNullable<Questions["url"]>;

/** A client that keeps what it is asked. */
function asked(answer: AnswerUrl): { readonly client: ClientDefinition; readonly questions: UrlQuestion[] } {
  const questions: UrlQuestion[] = [];
  const url: AnswerUrl = (question, context) => {
    questions.push(question);
    return answer(question, context);
  };
  const client = createClient({
    info,
    capabilities: { elicitation: { url: {} } },
    handlers: { ...elicitation({ url }) },
  });
  return { client, questions };
}

interface Asking {
  open(): Promise<ClientSession>;
  /** Says that a question is over. */
  complete(elicitationId: string): Promise<void>;
}

/** An agent of the client that asks under the id in the prompt. */
async function connect(client: ClientDefinition): Promise<Asking> {
  const sessions: AgentSession[] = [];
  const agent = createAgent({
    info,
    handlers: {
      "session/prompt": async ({ prompt: [block] }, { session }) => {
        sessions.push(session);
        const elicitationId = block?.type === "text" ? block.text : "";
        const question = { mode: "url", message: "Log in", url: "https://x.test", elicitationId } as const;
        await session.client.request("elicitation/create", { ...question, sessionId: session.id });
        return { stopReason: "end_turn" };
      },
      "session/close": () => ({}),
    },
  });
  const [near, far] = createMemoryTransportPair();
  agent.connect(far);
  const connected = await client.connect(near);
  return {
    open: () => connected.newSession({ cwd: "/project" }),
    complete: async (elicitationId) => sessions[0]?.client.notify("elicitation/complete", { elicitationId }),
  };
}

const accept: AnswerUrl = () => ({ action: "accept" });

describe("the end of a question by URL", () => {
  test("is completed on its own connection only", async () => {
    const { client, questions } = asked(accept);
    const [one, two] = [await connect(client), await connect(client)];
    for (const agent of [one, two]) await (await agent.open()).prompt("login-1").response;
    const ends = (): boolean[] => questions.map(({ completed }) => completed.aborted);
    await two.complete("login-1");
    await expect.poll(ends).toEqual([false, true]);
    await one.complete("login-1");
    await expect.poll(ends).toEqual([true, true]);
  });

  test("is no longer awaited once its session has ended, unlike questions of other sessions", async () => {
    const { client, questions } = asked(accept);
    const agent = await connect(client);
    const [closed, open] = [await agent.open(), await agent.open()];
    await closed.prompt("a").response;
    await open.prompt("b").response;
    await closed.close();
    for (const id of ["a", "b"]) await agent.complete(id);
    await expect.poll(() => questions[1]?.completed.aborted).toBe(true);
    expect(questions[0]?.completed.aborted).toBe(false);
  });

  test("is waited for with one listener for all of a session", async () => {
    const { client, questions } = asked(accept);
    const agent = await connect(client);
    const session = await agent.open();
    const listeners = (): number => getEventListeners(session.signal, "abort").length;
    const before = listeners();
    const ids = Array.from({ length: 20 }, (_, index) => `q${index}`);
    // oxlint-disable-next-line no-await-in-loop -- a session has one turn at a time
    for (const id of ids) await session.prompt(id).response;
    expect(listeners()).toBeLessThanOrEqual(before + 1);
    for (const id of ids) await agent.complete(id);
    await expect.poll(() => questions.every(({ completed }) => completed.aborted)).toBe(true);
  });

  test("is answered at once when the agent cancels it, even if the user answers later", async () => {
    let decline = (): void => {};
    const answers: AnswerUrl[] = [() => new Promise((resolve) => (decline = () => resolve({ action: "decline" })))];
    const { client, questions } = asked((question, context) => (answers.shift() ?? accept)(question, context));
    const agent = await connect(client);
    const session = await agent.open();
    const cancelled = session.prompt("a");
    await expect.poll(() => questions.length).toBe(1);
    cancelled.cancel();
    await cancelled.response;
    // Its id is free again, and belongs to another one by the time the user gets to it.
    await session.prompt("a").response;
    decline();
    await agent.complete("a");
    await expect.poll(() => questions[1]?.completed.aborted).toBe(true);
    expect(questions[0]?.completed.aborted).toBe(false);
  });
});
