import { describe, expect, it } from "vitest";
import { RequestError } from "../../src/base/errors.ts";
import {
  askPermission,
  type AskPermissionOptions,
  elicitForm,
  elicitUrl,
  type FormSchema,
  isNotFound,
  permissionOptions,
  readTextFile,
  writeTextFile,
} from "../../src/kit/v1/entry.ts";
import { createRawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { connect, type ConnectOptions } from "../../src/kit/v1/testing/connected.ts";
import type { AgentTurn } from "../../src/v1/agent-turn.ts";

/** A client that is asked, and answers what the list says, one after another. */
function asked(...answers: object[]): { readonly questions: object[]; readonly client: object } {
  const questions: object[] = [];
  const client = {
    "session/request_permission": (params: object) => {
      questions.push(params);
      return { outcome: answers[questions.length - 1] };
    },
  };
  return { questions, client };
}

const selected = (optionId: string): object => ({ outcome: "selected", optionId });

describe("askPermission()", () => {
  const ask = async (turn: AgentTurn, options?: AskPermissionOptions) =>
    askPermission(await turn.toolCall({ title: "Edit a.ts", status: "pending" }), options);

  it("offers one-time options, and reports the choice (PERM-01, PERM-02, PERM-03)", async () => {
    const { client, questions } = asked(selected("allow_once"), selected("reject_once"));
    const { turn } = await connect({ client });
    const answers = await turn(async (agentTurn) => [await ask(agentTurn), await ask(agentTurn)]);
    expect(answers).toMatchObject([
      { allowed: true, option: { kind: "allow_once" }, remembered: false },
      { allowed: false, option: { kind: "reject_once" }, remembered: false },
    ]);
    expect(questions[0]).toMatchObject({
      toolCall: { title: "Edit a.ts" },
      options: [
        { optionId: "allow_once", name: "Allow", kind: "allow_once" },
        { optionId: "reject_once", name: "Reject", kind: "reject_once" },
      ],
    });
  });

  it("names the call by the title that was reported last, and takes none back", async () => {
    const { client, questions } = asked(selected("allow_once"), selected("allow"));
    const { turn, updates } = await connect({ client });
    await turn(async (agentTurn) => {
      const call = await agentTurn.toolCall({ title: "Edit" });
      await call.update({ title: "Edit src/main.ts (3 hunks)" });
      await askPermission(call);
      // Without a title, or with none to speak of, it stays (TOOL-05).
      await call.update({ status: "pending", title: null });
      await call.requestPermission();
    });
    const title = "Edit src/main.ts (3 hunks)";
    expect(questions).toMatchObject([{ toolCall: { title } }, { toolCall: { title } }]);
    expect(updates.slice(0, 2)).toMatchObject([{ title: "Edit" }, { title }]);
  });

  it("repeats the latest state of the call, for clients that show nothing else", async () => {
    const { client, questions } = asked(selected("allow_once"), selected("allow_once"));
    const { turn } = await connect({ client });
    await turn(async (agentTurn) => {
      const locations = [{ path: "/a.ts", line: 3 }];
      const call = await agentTurn.toolCall({ title: "Edit", kind: "edit", rawInput: { a: 1 }, locations });
      await call.update({ content: "old", rawInput: { b: 2 } });
      await askPermission(call);
      await call.update({
        content: [{ type: "diff", path: "/a.ts", newText: "new" }],
        locations: [],
        status: "pending",
      });
      await askPermission(call);
    });
    const same = { toolCallId: expect.any(String) as unknown, title: "Edit", kind: "edit", rawInput: { b: 2 } };
    expect(questions.map((question) => "toolCall" in question && question.toolCall)).toEqual([
      {
        ...same,
        locations: [{ path: "/a.ts", line: 3 }],
        content: [{ type: "content", content: { type: "text", text: "old" } }],
      },
      { ...same, locations: [], content: [{ type: "diff", path: "/a.ts", newText: "new" }] },
    ]);
  });

  it("remembers lasting choices by name, in its session, on request", async () => {
    const { client, questions } = asked(
      selected("allow_always"),
      selected("reject_always"),
      selected("allow_once"),
      selected("allow_once"),
    );
    const { turn, agent } = await connect({ client });
    const [edit, run, editAgain, runAgain] = await turn(async (agentTurn) => [
      await ask(agentTurn, { remember: "edit" }),
      await ask(agentTurn, { remember: "run" }),
      await ask(agentTurn, { remember: "edit" }),
      await ask(agentTurn, { remember: "run" }),
    ]);
    expect([edit?.remembered, run?.remembered, questions.length]).toEqual([false, false, 2]);
    expect(questions[0]).toHaveProperty("options", [...permissionOptions]);
    expect(editAgain).toMatchObject({ allowed: true, option: { kind: "allow_always" }, remembered: true });
    expect(runAgain).toMatchObject({ allowed: false, option: { kind: "reject_always" }, remembered: true });
    // A question without `remember` is asked; the next turn remembers, another session does not.
    expect(await turn((agentTurn) => ask(agentTurn))).toMatchObject({ remembered: false });
    expect(await turn((agentTurn) => ask(agentTurn, { remember: "edit" }))).toMatchObject({ remembered: true });
    expect(questions.length).toBe(3);
    const other = await agent.newSession({ cwd: "/other" });
    await other.prompt("Go").response;
    expect(questions.length).toBe(4);
  });

  it("remembers the answers to questions that are open at the same time", async () => {
    const { client, questions } = asked(selected("allow_always"), selected("allow_always"));
    const { turn } = await connect({ client });
    await turn(async (agentTurn) => {
      await Promise.all([ask(agentTurn, { remember: "edit" }), ask(agentTurn, { remember: "run" })]);
      expect(await ask(agentTurn, { remember: "edit" })).toMatchObject({ remembered: true });
      expect(await ask(agentTurn, { remember: "run" })).toMatchObject({ remembered: true });
    });
    expect(questions.length).toBe(2);
  });

  it("does not grant permission when the turn is cancelled, even if the client allows it then", async () => {
    let release = (): void => {};
    const client = {
      // A client that does not follow the rule: it answers itself, and not `cancelled`.
      "session/request_permission": async () => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return { outcome: selected("allow_once") };
      },
    };
    const { turn, session } = await connect({ client });
    const answer = turn(async (agentTurn) => {
      agentTurn.signal.addEventListener("abort", () => release());
      const asking = ask(agentTurn);
      await new Promise((resolve) => setTimeout(resolve, 5));
      // Without the client's own handling of a cancelled turn.
      await session.agent.notify("session/cancel", {});
      return asking;
    });
    expect(await answer).toEqual({ allowed: false, option: undefined, remembered: false });
  });

  it("asks nobody in a turn that is cancelled already", async () => {
    const { client, questions } = asked();
    const { turn, session } = await connect({ client });
    const answer = turn(async (agentTurn) => {
      await session.agent.notify("session/cancel", {});
      await new Promise((resolve) => agentTurn.signal.addEventListener("abort", resolve));
      return ask(agentTurn, { remember: "edit" });
    });
    expect(await answer).toEqual({ allowed: false, option: undefined, remembered: false });
    expect(questions).toEqual([]);
  });

  it.each([
    ["an option that nobody offered", selected("allow_everything")],
    ["an outcome that nobody knows", { outcome: "_granted", optionId: "allow_once" }],
  ])("throws for %s, which is not a permission", async (_, outcome) => {
    let allowed: unknown = "nothing";
    const agent = createAgent({
      info: { name: "test-agent", version: "1.0.0" },
      handlers: {
        "session/prompt": async (_params, { turn }) => {
          allowed = await ask(turn).catch((error: unknown) => error);
          return { stopReason: "end_turn" };
        },
      },
    });
    // Ours does not answer so.
    const peer = createRawPeer((transport) => agent.connect(transport));
    await peer.call("initialize", { protocolVersion: 1 });
    const { result } = await peer.call("session/new", { cwd: "/project", mcpServers: [] });
    const prompting = peer.call("session/prompt", { ...(result as object), prompt: [] });
    const { id } = await peer.next(({ method }) => method === "session/request_permission");
    peer.send({ jsonrpc: "2.0", id, result: { outcome } });
    await prompting;
    expect(allowed).toMatchObject({ code: "protocol_violation" });
    await peer.close();
  });

  it("is refused after the turn's answer, remembered or not", async () => {
    const { turn } = await connect(asked(selected("allow_always")));
    const call = await turn(async (agentTurn) => {
      const made = await agentTurn.toolCall({ title: "Edit" });
      await askPermission(made, { remember: "edit" });
      return made;
    });
    await expect(askPermission(call, { remember: "edit" })).rejects.toMatchObject({ code: "usage" });
    await expect(call.requestPermission()).rejects.toMatchObject({ code: "usage" });
  });
});

describe("readTextFile() and writeTextFile()", () => {
  function files(): { readonly written: Map<string, string>; readonly client: object } {
    const written = new Map<string, string>();
    const client = {
      "fs/read_text_file": ({ path, line = 1, limit }: { path: string; line?: number; limit?: number }) => {
        const content = written.get(path);
        if (content === undefined) throw RequestError.resourceNotFound("No such file", { path });
        const lines = content.split("\n").slice(line - 1);
        return { content: lines.slice(0, limit).join("\n") };
      },
      "fs/write_text_file": ({ path, content }: { path: string; content: string }) => {
        written.set(path, content);
      },
    };
    return { written, client };
  }

  it("read and write through the client", async () => {
    const { client, written } = files();
    const { turn } = await connect({ client });
    const read = await turn(async (agentTurn) => {
      await writeTextFile(agentTurn, "/project/a", "1\n2\n3");
      return [
        await readTextFile(agentTurn, "/project/a"),
        await readTextFile(agentTurn, "/project/a", { line: 2, limit: 1 }),
      ];
    });
    expect(read).toEqual(["1\n2\n3", "2"]);
    expect([...written]).toEqual([["/project/a", "1\n2\n3"]]);
  });

  it("throw without a byte sent where the client did not advertise them (FS-02, INIT-12/agent)", async () => {
    const { turn } = await connect();
    const missing = { code: "missing_capability" };
    await expect(turn((agentTurn) => readTextFile(agentTurn, "/a"))).rejects.toMatchObject(missing);
    await expect(turn((agentTurn) => writeTextFile(agentTurn, "/a", ""))).rejects.toMatchObject(missing);
  });

  it("isNotFound() distinguishes a missing file from other failures", async () => {
    const { client } = files();
    const { turn } = await connect({ client });
    const failure = (path: string) =>
      turn((agentTurn) => readTextFile(agentTurn, path).catch((error: unknown) => isNotFound(error)));
    expect(await failure("/project/missing")).toBe(true);
    // A path that is not sent at all (FS-07).
    expect(await failure("missing")).toBe(false);
    expect(isNotFound(new Error("x"))).toBe(false);
  });

  it("do nothing in a turn that is cancelled or answered", async () => {
    const { client, written } = files();
    const { turn, session } = await connect({ client });
    const late = await turn(async (agentTurn) => {
      await session.agent.notify("session/cancel", {});
      await new Promise((resolve) => agentTurn.signal.addEventListener("abort", resolve));
      await expect(writeTextFile(agentTurn, "/project/a", "")).rejects.toBe(agentTurn.signal.reason);
      await expect(readTextFile(agentTurn, "/project/a")).rejects.toBe(agentTurn.signal.reason);
      return [agentTurn];
    });
    await expect(writeTextFile(late[0]!, "/project/a", "")).rejects.toMatchObject({ code: "usage" });
    expect([...written]).toEqual([]);
  });
});

describe("elicitForm() and elicitUrl()", () => {
  const capabilities = { elicitation: { form: {}, url: {} } };
  const form = {
    message: "Where to?",
    schema: {
      properties: { stage: { type: "string", enum: ["test", "live"] }, count: { type: "integer" } },
      required: ["stage"],
    },
  } as const;

  function answering(answer: object): ConnectOptions & { readonly questions: object[] } {
    const questions: object[] = [];
    const client = {
      "elicitation/create": (params: object) => {
        questions.push(params);
        return answer;
      },
    };
    return { questions, client, capabilities };
  }

  it("have a form filled in (ELIC-04, ELIC-05, ELIC-06/agent)", async () => {
    const options = answering({ action: "accept", content: { stage: "live", count: 2 } });
    const { turn, session } = await connect(options);
    const answer = await turn(async (agentTurn) => {
      const call = await agentTurn.toolCall({ title: "Deploy", toolCallId: "c" });
      return elicitForm(agentTurn, { ...form, call });
    });
    expect(answer).toEqual({ action: "accept", content: { stage: "live", count: 2 } });
    expect(options.questions).toEqual([
      {
        mode: "form",
        message: "Where to?",
        sessionId: session.id,
        toolCallId: "c",
        requestedSchema: { type: "object", ...form.schema },
      },
    ]);
  });

  it.each(["decline", "cancel"])("ignore content that comes with %s (ELIC-14, ELIC-16)", async (action) => {
    const { turn } = await connect(answering({ action, content: { stage: "live" } }));
    expect(await turn((agentTurn) => elicitForm(agentTurn, form))).toEqual({ action });
    expect(await turn((agentTurn) => elicitUrl(agentTurn, { message: "Log in", url: "https://x.test" }))).toEqual({
      action,
    });
  });

  it("take no action that is unknown for a known one (ELIC-32)", async () => {
    const { turn } = await connect(answering({ action: "_approve", content: { stage: "live" } }));
    const answer = await turn((agentTurn) => elicitForm(agentTurn, form));
    expect(answer).toMatchObject({ action: "failed", error: { code: "protocol_violation" } });
  });

  it("fail as a value where the client cannot show it, or answers with an error (ELIC-01, ELIC-16)", async () => {
    const { turn } = await connect();
    expect(await turn((agentTurn) => elicitForm(agentTurn, form))).toMatchObject({
      action: "failed",
      error: { code: "missing_capability", capability: "elicitation.form" },
    });
    const throwing = await connect({
      capabilities: { elicitation: { form: {} } },
      client: {
        "elicitation/create": () => {
          throw RequestError.internalError("no window");
        },
      },
    });
    expect(await throwing.turn((agentTurn) => elicitForm(agentTurn, form))).toMatchObject({
      action: "failed",
      error: { code: "request_failed", wire: { message: "no window" } },
    });
    const url = { message: "Log in", url: "https://x.test" };
    expect(await throwing.turn((agentTurn) => elicitUrl(agentTurn, url))).toMatchObject({
      action: "failed",
      error: { code: "missing_capability", capability: "elicitation.url" },
    });
  });

  it("reject an unknown required field, before anybody is asked", async () => {
    const options = answering({ action: "decline" });
    const { turn } = await connect(options);
    // Untyped, as a form that comes from elsewhere.
    const schema: FormSchema = { properties: { stage: { type: "string" } }, required: ["stage", "toString"] };
    const asking = turn((agentTurn) => elicitForm(agentTurn, { message: "Where to?", schema }));
    await expect(asking).rejects.toMatchObject({ code: "usage", message: expect.stringContaining("'toString'") });
    expect(options.questions).toEqual([]);
  });

  it("check the filled-in values (ELIC-07/agent)", async () => {
    const { turn } = await connect(answering({ action: "accept", content: { stage: "moon" } }));
    expect(await turn((agentTurn) => elicitForm(agentTurn, form))).toMatchObject({
      action: "failed",
      error: { code: "protocol_violation", path: ["result", "content", "stage"] },
    });
  });

  it("name each URL, and report when it is done (ELIC-11, ELIC-17, ELIC-19, ELIC-20)", async () => {
    const completed: unknown[] = [];
    const options = answering({ action: "accept" });
    const client = {
      ...options.client,
      "elicitation/complete": ({ elicitationId }: { elicitationId: string }) => {
        completed.push(elicitationId);
      },
    };
    const { turn } = await connect({ ...options, client });
    await turn(async (agentTurn) => {
      for (let time = 0; time < 2; time++) {
        const answer = await elicitUrl(agentTurn, { message: "Log in", url: "https://x.test/login" });
        if (answer.action === "accept") await answer.complete();
      }
    });
    const ids = options.questions.map((question) => (question as { elicitationId: string }).elicitationId);
    expect(options.questions[0]).toMatchObject({ mode: "url", message: "Log in", url: "https://x.test/login" });
    expect(new Set(ids).size).toBe(2);
    expect(completed).toEqual(ids);
  });

  it("end with the turn that is cancelled", async () => {
    const client = { "elicitation/create": () => new Promise(() => {}) };
    const { turn, session } = await connect({ client, capabilities });
    const outcome = turn(async (agentTurn) => {
      const asking = elicitForm(agentTurn, form);
      await session.agent.notify("session/cancel", {});
      return asking.catch((error: unknown) => error === agentTurn.signal.reason);
    });
    expect(await outcome).toBe(true);
  });
});
