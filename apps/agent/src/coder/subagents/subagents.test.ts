import { describe, expect, test } from "vitest";

import type { Update } from "../testing/connect.ts";
import { calls, play, type Reply, stages } from "../testing/models.ts";
import { createProject, type Project } from "../../tools/testing/project.ts";

const title = "Find the name";

/** The agent hands a part of its work to a subagent, which reads, changes something, and answers. */
function replies(project: Project): readonly Reply[] {
  return [
    calls(["task", { title, prompt: "What is in a.txt?" }]),
    { text: "I read it.\n", ...calls(["read", { path: project.at("a.txt") }]) },
    calls(["write", { path: project.at("b.txt"), text: "b" }]),
    { text: "The name is Ada." },
    { text: "They say it is Ada." },
  ];
}

describe.each(stages)("a subagent, $name", (stage) => {
  test("works inside its tool call for a client that does not know subagents", async () => {
    const project = createProject({ "a.txt": "Ada" });
    const progress: string[] = [];
    const { session, server, client } = await play(stage, replies(project), {
      cwd: project.path,
      answer: () => "allow_once",
      onUpdate: (update) => {
        if (update.sessionUpdate.startsWith("tool_call") && "content" in update)
          progress.push(JSON.stringify(update["content"]));
      },
    });
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    // What it read is a line of the call; what it changed is a call of its own, with permission.
    expect(session.shown("tool_call")).toMatchObject([
      { title, status: "completed" },
      { title: expect.stringMatching(/b\.txt/u), status: "completed" },
    ]);
    expect(client.questions).toEqual([expect.stringMatching(/b\.txt/u)]);
    expect(progress.some((text) => /I read it\..*✓ Read .*a\.txt/u.test(text))).toBe(true);
    expect(JSON.stringify(session.shown("tool_call")[0]?.content)).toContain("The name is Ada.");
    expect(session.shown("agent_message").map(({ text }) => text)).toEqual(["They say it is Ada."]);
    // It begins with an empty conversation, has no subagents itself, and only its answer comes back.
    expect(JSON.stringify(server.requests[1]?.["messages"])).not.toContain('"Go"');
    expect(JSON.stringify(server.requests[1]?.["tools"])).not.toContain('"task"');
    expect(JSON.stringify(server.requests[4]?.["messages"])).toContain("The name is Ada.");
    expect(JSON.stringify(server.requests[4]?.["messages"])).not.toContain("I read it.");
  });

  test.runIf(stage.version === 1).each([{}, { subagents: {} }])(
    "reports what it waits for when the client shows no notices, with the capabilities %o",
    async (capabilities) => {
      const project = createProject();
      const busy = { status: 429, headers: { "retry-after": "0" } };
      const { session, client } = await play(
        stage,
        [calls(["task", { title, prompt: "Go" }]), busy, { text: "Found." }, { text: "Done." }],
        { cwd: project.path, capabilities },
      );
      expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
      expect(client.received()).toContain("limits the requests (429). Trying again in 1 second (1 of 5).");
      expect(client.received()).toContain("Found.");
    },
  );

  test("is cancelled with the turn", async () => {
    const project = createProject();
    const cancel = new AbortController();
    const { session, server } = await play(
      stage,
      [calls(["task", { title, prompt: "Go" }]), { text: "First line\nand the next", hangsAfter: 6 }],
      {
        cwd: project.path,
        onUpdate: (update) => {
          if (JSON.stringify(update).includes("First line")) cancel.abort();
        },
      },
    );
    expect(await session.prompt("Go", cancel.signal)).toMatchObject({ stopReason: "cancelled" });
    await server.aborted;
    expect(session.shown("tool_call")[0]?.status).toMatch(/^(failed|cancelled)$/u);
  });
});

describe.each(stages.filter(({ version }) => version === 1))("a subagent with a session, $name", (stage) => {
  test("works in a session of its own for a client that shows it", async () => {
    const project = createProject({ "a.txt": "Ada" });
    const updates: [sessionId: string, update: Update][] = [];
    const { session, client } = await play(stage, replies(project), {
      cwd: project.path,
      answer: () => "allow_once",
      capabilities: { subagents: {} },
      onUpdate: (update, sessionId) => void updates.push([sessionId, update]),
    });
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(session.shown("tool_call")).toMatchObject([{ title, status: "completed" }]);
    expect(client.questions).toEqual([expect.stringMatching(/b\.txt/u)]);
    const told = updates.map(([, update]) => update).filter(({ sessionUpdate }) => sessionUpdate === "subagent_update");
    expect(told).toMatchObject([
      { title, cwd: project.path, state: { state: "running" } },
      { state: { state: "idle", stopReason: "end_turn" } },
    ]);
    expect(project.read("b.txt")).toBe("b");
    const own = updates.filter(([sessionId]) => sessionId === told[0]?.["sessionId"]).map(([, update]) => update);
    const texts = own.flatMap(({ content }) => (isText(content) ? [content.text] : []));
    expect(texts.join("")).toBe("I read it.\nThe name is Ada.");
    expect(own.filter(({ sessionUpdate }) => sessionUpdate === "tool_call")).toHaveLength(2);
    expect(own.filter(({ status }) => status === "completed")).toHaveLength(2);
  });

  test("uses the files and terminals of the client from there", async () => {
    const project = createProject({ "a.txt": "Ada" });
    const terminals: unknown[] = [];
    const { session, server } = await play(
      stage,
      [
        calls(["task", { title, prompt: "Go" }]),
        calls(["read", { path: project.at("a.txt") }], ["run", { command: "echo out" }]),
        { text: "Ada." },
        { text: "Done." },
      ],
      {
        cwd: project.path,
        answer: () => "allow_once",
        capabilities: { subagents: {} },
        hasTerminals: true,
        onUpdate: ({ content }, sessionId) => {
          if (JSON.stringify(content)?.includes('"terminalId"')) terminals.push(sessionId);
        },
      },
    );
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(terminals).toEqual([expect.any(String)]);
    expect(terminals).not.toContain(session.id);
    expect(JSON.stringify(server.requests[2])).toMatch(/Ada.*out/u);
  });
});

function isText(content: unknown): content is { readonly text: string } {
  return typeof content === "object" && content !== null && "text" in content;
}
