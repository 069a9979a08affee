import type { CreateElicitationRequest } from "@acp/schema/v1";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../base/diagnostics.ts";
import { RequestError } from "../../base/errors.ts";
import { createMemoryTransportPair } from "../../transport/memory-transport.ts";
import { createAgent } from "../../v1/agent.ts";
import { createClient } from "../../v1/client.ts";
import type { ClientContext } from "../../v1/client-handlers.ts";
import type { Turn } from "../../v1/turn.ts";
import { elicitation, type FormQuestion, type Questions, type UrlQuestion } from "./questions.ts";

const info = { name: "test", version: "1.0.0" };
type Question = { mode: "form"; requestedSchema: object } | { mode: "url"; url: string; elicitationId: string };

interface Asked {
  readonly diagnostics: readonly Diagnostic[];
  /** Has the agent ask in a turn. */
  begin(question: Question): Turn;
  /** What the agent was answered last, or the error. */
  answered(): unknown;
  /** Both. */
  ask(question: Question): Promise<unknown>;
  complete(elicitationId: string): Promise<void>;
}

/** A client that answers, and an agent that asks in a turn. */
async function connect(questions: Questions): Promise<Asked> {
  const diagnostics: Diagnostic[] = [];
  let question: Question | undefined;
  let answer: unknown;
  let complete: (elicitationId: string) => Promise<void> = () => Promise.resolve();
  const agent = createAgent({
    info,
    handlers: {
      "session/prompt": async (_, { session, client, signal }) => {
        complete = (elicitationId) => client.notify("elicitation/complete", { elicitationId });
        const request = { message: "Well?", ...question, sessionId: session.id } as CreateElicitationRequest;
        answer = await client.request("elicitation/create", request).catch((error: unknown) => error);
        return { stopReason: signal.aborted ? "cancelled" : "end_turn" };
      },
    },
  });
  const client = createClient({
    info,
    capabilities: { elicitation: { form: {}, url: {} } },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: { ...elicitation(questions) },
  });
  const [near, far] = createMemoryTransportPair();
  agent.connect(far);
  const connected = await client.connect(near);
  const session = await connected.newSession({ cwd: "/project" });
  const begin = (asked: Question): Turn => {
    question = asked;
    return session.prompt("ask");
  };
  return {
    diagnostics,
    complete: (elicitationId) => complete(elicitationId),
    begin,
    answered: () => answer,
    async ask(asked) {
      await begin(asked).response;
      return answer;
    },
  };
}

const form = (properties: object, required: readonly string[] = []): Question => ({
  mode: "form",
  requestedSchema: { type: "object", properties, required },
});
const url = { mode: "url" as const, url: "http://example.com/login", elicitationId: " ü/1 " };

describe("elicitation()", () => {
  test("ELIC-08, ELIC-13: shows a form with its defaults, and sends the accepted values", async () => {
    const seen: FormQuestion[] = [];
    const { ask } = await connect({
      form: (question) => {
        seen.push(question);
        return { action: "accept", content: { ...question.defaults, name: "Ada" } };
      },
    });
    const answer = await ask(form({ name: { type: "string" }, size: { type: "integer", default: 3 } }, ["name"]));
    expect(answer).toEqual({ action: "accept", content: { name: "Ada", size: 3 } });
    expect(seen).toMatchObject([{ message: "Well?", defaults: { size: 3 } }]);
    expect(seen[0]?.validate({})).toEqual([{ path: ["name"], reason: "is required" }]);
  });

  test.each(["decline", "cancel"] as const)("ELIC-13: sends no content with %s", async (action) => {
    // Untyped, as an answer may be in JavaScript.
    const answer = { action, content: { name: "Ada" } };
    const { ask } = await connect({ form: () => answer, url: () => answer });
    expect(await ask(form({ name: { type: "string" } }))).toEqual({ action });
    expect(await ask(url)).toEqual({ action });
  });

  test("ELIC-15: does not send an answer that does not conform; the error names the place, the agent gets none of it", async () => {
    const { ask, diagnostics } = await connect({ form: () => ({ action: "accept", content: { size: "hunter2" } }) });
    const failure = await ask(form({ size: { type: "integer" }, name: { type: "string" } }, ["name"]));
    expect(failure).toBeInstanceOf(RequestError);
    expect(failure).toMatchObject({ wire: { code: -32603 } });
    const error = diagnostics.flatMap((each) => (each.type === "handler-failed" ? [each.error] : []))[0];
    expect(error).toMatchObject({
      code: "form_content",
      problems: [
        { path: ["name"], reason: "is required" },
        { path: ["size"], reason: "expected a number" },
      ],
    });
    expect(String(error)).not.toContain("hunter2");
  });

  test("ELIC-18, ELIC-29: shows a URL with its warnings; its id is passed on as it is", async () => {
    const seen: UrlQuestion[] = [];
    const { ask, complete } = await connect({
      url: (question) => {
        seen.push(question);
        return { action: "accept" };
      },
    });
    expect(await ask(url)).toEqual({ action: "accept" });
    expect(seen).toMatchObject([{ url: "http://example.com/login", elicitationId: " ü/1 " }]);
    expect(seen[0]?.report).toMatchObject({ host: "example.com", warnings: [{ kind: "not-https" }] });
    expect(seen[0]?.completed.aborted).toBe(false);
    await complete(" ü/1 ");
    await expect.poll(() => seen[0]?.completed.aborted).toBe(true);
  });

  test("ELIC-21: ignores the end of an unknown or finished question", async () => {
    const seen: UrlQuestion[] = [];
    const handlers = elicitation({
      url: (question) => {
        seen.push(question);
        return { action: "decline" };
      },
    });
    const context = { signal: new AbortController().signal, agent: {} } as ClientContext;
    handlers["elicitation/complete"]({ elicitationId: "never" }, context);
    await handlers["elicitation/create"]({ ...url, message: "m", sessionId: "s" }, context);
    for (const elicitationId of ["never", url.elicitationId]) {
      handlers["elicitation/complete"]({ elicitationId }, context);
    }
    expect(seen.map(({ completed }) => completed.aborted)).toEqual([false]);
  });

  test("ELIC-31: refuses a mode that nobody can show", async () => {
    const { ask } = await connect({ form: () => ({ action: "decline" }) });
    expect(await ask(url)).toMatchObject({ wire: { code: -32602 } });
  });

  test("answers cancel when the turn is cancelled, even if the user answers later", async () => {
    let markAsked = (): void => {};
    const isAsked = new Promise<void>((resolve) => (markAsked = resolve));
    const { begin, answered } = await connect({
      form: () => {
        markAsked();
        return new Promise(() => {});
      },
    });
    const turn = begin(form({}));
    await isAsked;
    turn.cancel();
    expect((await turn.response).stopReason).toBe("cancelled");
    expect(answered()).toEqual({ action: "cancel" });
  });
});
