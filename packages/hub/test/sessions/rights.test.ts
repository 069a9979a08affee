import { createMemoryTransportPair } from "@acp/core";
import type { AgentMethods } from "@acp/schema/v1";
import type { AgentMethods as AgentMethods2 } from "@acp/schema/v2";
import { describe, expect, test } from "vitest";

import type { Hub, HubUser, ShareLevel } from "../../src/index.ts";
import { type RawClient, joinRaw } from "../support/raw-client.ts";
import { createTestAgent, openQuestions, secretUrl } from "../support/test-agent.ts";
import { cwd, startHub, type TestHub } from "../support/test-hub.ts";

const ada: HubUser = { id: "ada" };
const bob: HubUser = { id: "bob" };

/** Every method that a client may call about a session; a new one does not compile until it is here. */
const methods: {
  readonly [Method in Exclude<keyof AgentMethods, "initialize" | "session/cancel">]: (sessionId: string) => object;
} = {
  authenticate: () => ({ methodId: "any" }),
  logout: () => ({}),
  "session/close": (sessionId) => ({ sessionId }),
  "session/delete": (sessionId) => ({ sessionId }),
  "session/list": () => ({}),
  "session/load": (sessionId) => ({ sessionId, cwd, mcpServers: [] }),
  "session/new": () => ({ cwd, mcpServers: [] }),
  "session/prompt": (sessionId) => ({ sessionId, prompt: [{ type: "text", text: "forbidden" }] }),
  "session/resume": (sessionId) => ({ sessionId, cwd, mcpServers: [] }),
  "session/set_config_option": (sessionId) => ({ sessionId, configId: "any", value: "any" }),
  "session/set_mode": (sessionId) => ({ sessionId, modeId: "ask" }),
};
/** The same of version 2. */
const methods2: {
  readonly [Method in Exclude<keyof AgentMethods2, "initialize" | "session/cancel">]: (sessionId: string) => object;
} = {
  "auth/login": () => ({ methodId: "any" }),
  "auth/logout": () => ({}),
  "session/close": methods["session/close"],
  "session/delete": methods["session/delete"],
  "session/list": methods["session/list"],
  "session/new": methods["session/new"],
  "session/prompt": methods["session/prompt"],
  "session/resume": methods["session/resume"],
  "session/set_config_option": (sessionId) => ({ sessionId, configId: "any", type: "id", value: "any" }),
  "terminal/cancel": (sessionId) => ({ sessionId, terminalId: "any" }),
  "tool_call/cancel": (sessionId) => ({ sessionId, toolCallId: "any" }),
};
const aboutSession2 = (Object.keys(methods2) as (keyof typeof methods2)[]).filter((method) =>
  JSON.stringify(methods2[method]("it")).includes('"it"'),
);
const aboutSession = (Object.keys(methods) as (keyof typeof methods)[]).filter((method) =>
  JSON.stringify(methods[method]("it")).includes('"it"'),
);

/** A session of Ada, in whose turn the agent waits for a permission. */
async function startWithQuestion(given: Partial<Parameters<typeof startHub>[1]> = {}): Promise<
  TestHub & {
    readonly id: string;
    readonly prompts: readonly string[];
    readonly questions: ReturnType<typeof openQuestions>;
    readonly ended: Promise<unknown>;
    readonly text: () => string;
  }
> {
  const { agent, prompts } = createTestAgent();
  const started = startHub(agent, given);
  const questions = openQuestions();
  const author = await started.join(questions.handlers, ada);
  const session = await author.agent.newSession({ cwd });
  const ended = session.prompt("a?").response;
  ended.catch(() => {});
  await expect.poll(() => questions.asked.length).toBe(1);
  return { ...started, id: session.id, prompts, questions, ended, text: author.text };
}

async function holderOf(
  hub: Hub,
  session: string,
  may: ShareLevel,
  capabilities?: object,
  version?: 1 | 2,
): Promise<RawClient> {
  const { token } = await hub.share(session, { may });
  return await joinRaw(hub, await hub.userOf(token), capabilities, version);
}

/** The notes of the hub that a client got. */
function notesOf({ received }: RawClient): unknown[] {
  return received
    .map(({ params }) => Object(params?.["update"]) as { _meta?: { "acp-hub"?: unknown } })
    .flatMap(({ _meta }) => _meta?.["acp-hub"] ?? []);
}

describe("a session of another user", () => {
  test.each(aboutSession)("%s answers as for an unknown one", async (method) => {
    const { hub, id, journal } = await startWithQuestion();
    const before = await journal.describe(id);
    const other = await joinRaw(hub, bob);
    const unknown = id.replaceAll(/[0-9a-f]/gu, "0");

    const { error: theirs } = await other.call(method, methods[method](id));
    const { error: nobodys } = await other.call(method, methods[method](unknown));

    expect(theirs).toBeDefined();
    expect(JSON.stringify(theirs).replaceAll(id, unknown)).toBe(JSON.stringify(nobodys));
    expect(await journal.describe(id)).toEqual(before);
  });

  test.each(aboutSession2)("%s of version 2 answers as for an unknown one", async (method) => {
    const { hub, id, journal } = await startWithQuestion();
    const before = await journal.describe(id);
    const other = await joinRaw(hub, bob, {}, 2);
    const unknown = id.replaceAll(/[0-9a-f]/gu, "0");

    const { id: _theirs, ...theirs } = await other.call(method, methods2[method](id));
    const { id: _nobodys, ...nobodys } = await other.call(method, methods2[method](unknown));

    // To close what is not open is no error in version 2.
    expect(theirs.error === undefined).toBe(method === "session/close");
    expect(JSON.stringify(theirs).replaceAll(id, unknown)).toBe(JSON.stringify(nobodys));
    expect(await journal.describe(id)).toEqual(before);
    // The same request of the owner is about something that is there.
    if (method !== "session/resume" && method !== "session/delete") return;
    const owner = await joinRaw(hub, ada, {}, 2);
    expect((await owner.call(method, methods2[method](id))).error).toBeUndefined();
  });

  test("is not in lists, and cannot be cancelled", async () => {
    const { hub, id, questions, ended } = await startWithQuestion();
    const other = await joinRaw(hub, bob);
    other.send({ method: "session/cancel", params: { sessionId: id } });
    expect((await other.call("session/list", {})).result).toEqual({ sessions: [] });
    questions.answer("allow");
    expect(await ended).toEqual({ stopReason: "end_turn" });
  });

  test("pages of a list end with a session of one's own, not of another", async () => {
    const { journal, hub } = startHub(createTestAgent().agent, {
      may: ({ user, session }) => user?.id === session.owner,
    });
    for (let index = 0; index < 450; index++)
      await journal.create(`of-${index % 4 === 0 ? "bob" : "ada"}-${index}`, {
        agent: "test",
        cwd,
        owner: index % 4 === 0 ? "bob" : "ada",
      });
    const client = await joinRaw(hub, bob);
    const found: unknown[] = [];
    let cursor: unknown;
    do {
      const { result } = await client.call("session/list", cursor === undefined ? {} : { cursor });
      found.push(...(result!["sessions"] as unknown[]));
      cursor = result!["nextCursor"];
      expect(String(cursor)).not.toContain("ada");
    } while (cursor !== undefined);
    expect(found.length).toBe(113);
    expect(JSON.stringify(found)).not.toContain("ada");
  });
});

describe("the holder of a share", () => {
  const watching = ["session/load", "session/resume", "session/list", "session/close"];
  test.each<{ may: ShareLevel; allowed: readonly string[] }>([
    { may: "watch", allowed: watching },
    { may: "answer", allowed: watching },
    { may: "control", allowed: [...watching, "session/prompt", "session/set_mode"] },
  ])("may $may: $allowed", async ({ may, allowed }) => {
    const { hub, id, prompts, questions, journal } = await startWithQuestion();
    for (const method of Object.keys(methods) as (keyof typeof methods)[]) {
      const holder = await holderOf(hub, id, may);
      const loaded = await holder.call("session/load", methods["session/load"](id));
      const answered = holder.call(method, methods[method](id));
      if (method === "session/prompt" && allowed.includes(method)) questions.answer("allow");
      const { error } = await answered;
      expect([method, error === undefined]).toEqual([method, allowed.includes(method)]);
      expect(Object(loaded.result?.["_meta"])["acp-hub"].may).toEqual(
        { watch: ["watch"], answer: ["watch", "answer"], control: ["watch", "answer", "prompt"] }[may],
      );
    }
    expect(prompts).toEqual(may === "control" ? ["a?", "forbidden"] : ["a?"]);
    expect((await journal.list({})).sessions.length).toBe(1);
  });

  test("who may only watch does not cancel", async () => {
    const { hub, id, questions, ended } = await startWithQuestion();
    const holder = await holderOf(hub, id, "answer");
    await holder.call("session/load", methods["session/load"](id));
    holder.send({ method: "session/cancel", params: { sessionId: id } });
    await holder.call("session/list", {});
    questions.answer("allow");
    expect(await ended).toEqual({ stopReason: "end_turn" });
  });

  test("cannot choose the MCP servers that an agent starts", async () => {
    const setups: unknown[] = [];
    const { agent } = createTestAgent();
    const { hub, join, agents } = startHub({
      ...agent,
      connect: (transport, options) =>
        agent.connect(
          {
            ...transport,
            start: (sink) =>
              transport.start({
                ...sink,
                message: (text) => {
                  if (text.includes('"session/resume"')) setups.push(JSON.parse(text).params.mcpServers);
                  sink.message(text);
                },
              }),
            send: (...message) => transport.send(...message),
            close: () => transport.close(),
            pause: () => transport.pause(),
            resume: () => transport.resume(),
          },
          options,
        ),
    });
    const author = await join(undefined, ada);
    const session = await author.agent.newSession({ cwd });
    await hub.stop(session.id);
    await expect.poll(() => agents.length).toBe(0);

    const holder = await holderOf(hub, session.id, "control");
    const mcpServers = [{ name: "evil", command: "/bin/evil", args: [], env: [] }];
    await holder.call("session/resume", { sessionId: session.id, cwd, mcpServers });
    await holder.call("session/prompt", methods["session/prompt"](session.id));
    expect(setups).toEqual([[]]);
  });
});

describe("a question", () => {
  test.each([1, 2] as const)(
    "is shown to who may only watch, and an answer of theirs does not count (version %s)",
    async (version) => {
      const { hub, id, questions, ended, text } = await startWithQuestion();
      const watcher = await holderOf(hub, id, "watch", {}, version);
      await watcher.call("session/resume", methods["session/resume"](id));
      await expect.poll(() => JSON.stringify(notesOf(watcher))).toContain('"method":"session/request_permission"');
      expect(JSON.stringify(notesOf(watcher))).toContain("Edit a file");
      expect(watcher.received.filter(({ method }) => method === "session/request_permission")).toEqual([]);

      // Answers to questions that it was never asked.
      for (let guess = 0; guess < 50; guess++)
        watcher.send({ id: guess, result: { outcome: { outcome: "selected", optionId: "allow" } } });
      await watcher.call("session/list", {});

      questions.answer("reject");
      await ended;
      await expect.poll(text).toBe("a<reject>");
    },
  );

  test("is not answered by somebody whose share was revoked while the dialog was open", async () => {
    const { hub, id, questions, ended, text } = await startWithQuestion();
    const holder = await holderOf(hub, id, "answer");
    await holder.call("session/load", methods["session/load"](id));
    const asked = (): (typeof holder.received)[number] | undefined =>
      holder.received.find(({ method }) => method === "session/request_permission");
    await expect.poll(asked).toBeDefined();

    const [share] = await hub.shares(id);
    const revoked = hub.revoke(id, share!.id);
    holder.send({ id: asked()!.id, result: { outcome: { outcome: "selected", optionId: "allow" } } });
    await revoked;
    await holder.closed;

    questions.answer("reject");
    await ended;
    await expect.poll(text).toBe("a<reject>");
  });

  test("is not answered by somebody who may no longer, and waits for who may", async () => {
    let mayAnswer = true;
    const { join, id, questions, ended, text } = await startWithQuestion({
      may: ({ user, act }) => user?.id === "ada" || act === "watch" || (act === "answer" && mayAnswer),
    });
    const other = openQuestions();
    const helper = await join(other.handlers, bob);
    await helper.agent.loadSession({ sessionId: id, cwd });
    await expect.poll(() => other.asked.length).toBe(1);

    mayAnswer = false;
    other.answer("allow");
    await helper.agent.request("session/list", {});

    questions.answer("reject");
    await ended;
    await expect.poll(text).toBe("a<reject>");
  });

  test("with a URL shows the URL only to who may answer", async () => {
    const { agent } = createTestAgent();
    const { hub, join } = startHub(agent);
    const author = await join(undefined, ada);
    const session = await author.agent.newSession({ cwd });
    const all = { elicitation: { url: {}, form: {} } };
    const watcher = await holderOf(hub, session.id, "watch", all);
    const helper = await holderOf(hub, session.id, "answer", all);
    for (const client of [watcher, helper]) await client.call("session/load", methods["session/load"](session.id));

    session.prompt("@").response.catch(() => {});

    await expect.poll(() => JSON.stringify(helper.received)).toContain(secretUrl);
    await expect.poll(() => JSON.stringify(notesOf(watcher))).toContain('"method":"elicitation/create"');
    expect(JSON.stringify(watcher.received)).not.toContain(secretUrl);
  });
});

describe("what a client learns", () => {
  test("new, load and resume say what the user may do", async () => {
    const { hub, id } = await startWithQuestion();
    const everything = ["watch", "answer", "prompt", "admin"];
    for (const method of ["session/new", "session/load", "session/resume"] as const) {
      const { result } = await (await joinRaw(hub, ada)).call(method, methods[method](id));
      expect(result).toMatchObject({ _meta: { "acp-hub": { may: everything } } });
    }
  });

  test.each([
    { user: undefined, sees: true },
    { user: ada, sees: false },
  ])("user $user sees the machine's part of an error: $sees", async ({ user, sees }) => {
    const { agent } = createTestAgent();
    let starts = 0;
    const { hub } = startHub(agent, {
      runtime: {
        spawnAgent: async (client) => {
          starts += 1;
          if (starts > 1) throw new Error("/secret/bin/agent (pid 4711) exited: panic in /secret/key");
          const [ours, theirs] = createMemoryTransportPair();
          agent.connect(theirs);
          return await client.connect(ours);
        },
        fileSystem: () => ({}),
        terminals: () => ({}),
      },
    });
    const client = await joinRaw(hub, user);
    const { error } = await client.call("session/new", methods["session/new"](""));
    expect(error).toBeDefined();
    expect(JSON.stringify(client.received).includes("4711")).toBe(sees);
    expect(JSON.stringify(client.received).includes("secret")).toBe(sees);
  });
});

describe("the name of a prompt", () => {
  const prompt = (sessionId: string, text: string, operationId: string): object => ({
    sessionId,
    prompt: [{ type: "text", text }],
    _meta: { "acp-hub": { operationId } },
  });

  test("guessed by another user takes nothing away; repeated, it runs once", async () => {
    const { agent, prompts } = createTestAgent();
    const { hub, join } = startHub(agent);
    const author = await join(undefined, ada);
    const session = await author.agent.newSession({ cwd });
    const guesser = await holderOf(hub, session.id, "control");
    await guesser.call("session/load", methods["session/load"](session.id));
    const own = await joinRaw(hub, ada);
    await own.call("session/load", methods["session/load"](session.id));

    await guesser.call("session/prompt", prompt(session.id, "guess", "1"));
    const answers = await Promise.all([
      own.call("session/prompt", prompt(session.id, "mine", "1")),
      own.call("session/prompt", prompt(session.id, "mine", "1")),
    ]);

    expect(answers.map(({ result }) => result?.["stopReason"])).toEqual(["end_turn", "end_turn"]);
    expect(prompts).toEqual(["guess", "mine"]);
  });

  test("that failed fails again", async () => {
    const { agent, prompts } = createTestAgent();
    const { hub, join } = startHub(agent);
    const author = await join(undefined, ada);
    const session = await author.agent.newSession({ cwd });
    const own = await joinRaw(hub, ada);
    await own.call("session/load", methods["session/load"](session.id));
    const first = await own.call("session/prompt", prompt(session.id, "!", "fails"));
    const again = await own.call("session/prompt", prompt(session.id, "!", "fails"));
    expect(first.error).toBeDefined();
    expect(again.error).toEqual(first.error);
    expect(prompts).toEqual(["!"]);
  });

  test("has at most 256 characters", async () => {
    const { agent, prompts } = createTestAgent();
    const { hub, join } = startHub(agent);
    const author = await join(undefined, ada);
    const session = await author.agent.newSession({ cwd });
    const own = await joinRaw(hub, ada);
    await own.call("session/load", methods["session/load"](session.id));
    const { error } = await own.call("session/prompt", prompt(session.id, "a", "x".repeat(257)));
    expect(error?.code).toBe(-32602);
    expect(prompts).toEqual([]);
  });
});
