import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { serveModel } from "../../../../packages/ai/test/support/model-server.ts";
import { createCoder } from "./create-coder.ts";
import {
  type Answer,
  type ClientOptions,
  connect,
  type Shown,
  type TestClient,
  type TestSession,
} from "./testing/connect.ts";
import { calls, info, type Reply, stages, type Stage, toConfigured } from "./testing/models.ts";
import { createProject } from "../tools/testing/project.ts";

/** An agent, and a function that connects one client after the other to it. */
async function serve(
  { format, version }: Stage,
  replies: readonly Reply[],
  cwd: string,
  options: Partial<ClientOptions> = {},
) {
  const server = await serveModel(format, replies);
  const models = [toConfigured("main", server), toConfigured("second", server, { efforts: ["low"] })] as const;
  const sessionsFolder = join(createProject().path, "sessions");
  const agent = createCoder({ info, models, sessionsFolder });
  const client = () => connect(version, agent, { cwd, answer: () => "allow_once", ...options });
  return { server, agent, client };
}

function seen(session: TestSession): object[] {
  return session.timeline().map(({ type, text, title, status, content }: Shown) => {
    return { type, text, title, status, content };
  });
}

describe.each(stages)("a session of the coder, $name", (stage) => {
  test("is loaded with everything that the user saw, and continues", async () => {
    const project = createProject({ "a.txt": "old" });
    const { server, client } = await serve(
      stage,
      [
        { reasoning: "Read it first.", ...calls(["read", { path: project.at("a.txt") }]) },
        calls(["write", { path: project.at("b.txt"), text: "new" }], ["run", { command: "cat b.txt" }]),
        { text: "I have written it." },
        { text: "As I said." },
      ],
      project.path,
    );
    const first = await (await client()).newSession();
    await first.prompt([
      { type: "text", text: "Write it" },
      { type: "resource", resource: { uri: "file:///c.txt", text: "attached" } },
    ]);
    const second = await client();
    expect(await second.list()).toMatchObject([{ sessionId: first.id, title: "Write it" }]);
    const loaded = await second.reopen(first.id, { replay: true });
    expect(seen(loaded)).toEqual(seen(first));
    expect(loaded.timeline().length).toBeGreaterThan(5);
    await loaded.prompt("What did you do?");
    expect(loaded.timeline().at(-1)).toMatchObject({ text: "As I said." });
    // The model knows what was before.
    expect(JSON.stringify(server.requests[3])).toMatch(/attached.*I have written it\..*What did you do\?/u);
  });

  test("is loaded with the user's messages of mid-turn", async () => {
    const project = createProject();
    const { client } = await serve(stage, [calls(["run", { command: "true" }]), { text: "Yes." }], project.path, {
      answer: (): Answer => {
        steered = first.steer("Be brief");
        return "allow_once";
      },
    });
    let steered: Promise<string> | undefined;
    const first = await (await client()).newSession();
    await first.prompt("Go");
    expect(await steered).toBe("injected");
    const loaded = await (await client()).reopen(first.id, { replay: true });
    expect(loaded.shown("user_message").map(({ text, content }) => text ?? content)).toMatchObject(["Go", "Be brief"]);
  });

  test("is resumed with its settings, and without a replay", async () => {
    const { path: cwd } = createProject();
    const { server, client } = await serve(stage, [{ text: "Hello." }, { text: "Again." }], cwd);
    const first = await (await client()).newSession();
    await first.set("mode", "plan");
    await first.set("model", "second");
    await first.set("effort", "low");
    await first.prompt("Hello");
    const resumed = await (await client()).reopen(first.id, { replay: false });
    expect(resumed.options()).toMatchObject({
      mode: { current: "plan" },
      model: { current: "second" },
      effort: { current: "low", values: ["default", "low"] },
    });
    expect(seen(resumed)).toEqual([]);
    await resumed.prompt("And now?");
    expect(JSON.stringify(server.requests[1])).toMatch(/Hello\..*And now\?/u);
  });

  test("survives its agent", async () => {
    const { path: cwd } = createProject();
    const server = await serveModel(stage.format, [{ text: "One." }, { text: "Two." }]);
    const sessionsFolder = join(createProject().path, "sessions");
    const begin = (): Promise<TestClient> => {
      const agent = createCoder({ info, models: [toConfigured("main", server)], sessionsFolder });
      return connect(stage.version, agent, { cwd });
    };
    const client = await begin();
    const first = await client.newSession();
    await first.prompt("Count");
    await client.close();
    const loaded = await (await begin()).reopen(first.id, { replay: true });
    expect(seen(loaded)).toEqual(seen(first));
    await loaded.prompt("More");
    expect(JSON.stringify(server.requests[1])).toMatch(/Count.*One\..*More/u);
  });

  test("is forked: each goes its own way from there", async () => {
    const { path: cwd } = createProject();
    const { server, client } = await serve(stage, [{ text: "One." }, { text: "Two." }, { text: "Three." }], cwd);
    const connected = await client();
    const first = await connected.newSession();
    await first.prompt("Count");
    const fork = await connected.fork(first.id);
    expect(fork.id).not.toBe(first.id);
    await fork.prompt("More");
    await first.prompt("On");
    expect(JSON.stringify(server.requests[1])).toMatch(/One\..*More/u);
    expect(JSON.stringify(server.requests[2])).toMatch(/One\..*On/u);
    expect(JSON.stringify(server.requests[2])).not.toContain("Two.");
  });

  test("is deleted", async () => {
    const { path: cwd } = createProject();
    const { client } = await serve(stage, [{ text: "One." }], cwd);
    const first = await (await client()).newSession();
    await first.prompt("Count");
    const other = await client();
    await other.delete(first.id);
    expect(await other.list()).toEqual([]);
    await expect(other.reopen(first.id, { replay: true })).rejects.toThrow("No such session");
  });

  test("advertises its slash commands, and runs them", async () => {
    const { path: cwd } = createProject();
    const { server, client } = await serve(stage, [{ text: "I write it." }], cwd);
    const session = await (await client()).newSession();
    await expect.poll(() => session.commands()).toEqual(["help", "compact", "init", "review", "mcp"]);
    await session.prompt("/help");
    expect(session.timeline().at(-1)?.text).toContain("`/compact <what to keep>`");
    await session.prompt("/nothing");
    expect(session.timeline().at(-1)?.text).toContain("There is no command /nothing.");
    expect(server.requests).toEqual([]);
    await session.prompt("/init");
    expect(JSON.stringify(server.requests[0])).toContain("Write the file AGENTS.md");
  });
});

describe.each(stages.filter(({ version }) => version === 1))(
  "a session with terminals of the client, $name",
  (stage) => {
    test("is loaded with the output that was in them", async () => {
      const project = createProject();
      const { client } = await serve(stage, [calls(["run", { command: "echo out" }]), { text: "Yes." }], project.path, {
        hasTerminals: true,
      });
      const first = await (await client()).newSession();
      await first.prompt("Go");
      expect(first.shown("tool_call")).toMatchObject([{ status: "completed", content: [{ type: "terminal" }] }]);
      const loaded = await (await client()).reopen(first.id, { replay: true });
      expect(loaded.shown("tool_call")).toMatchObject([
        { status: "completed", content: [{ type: "content", content: { text: "```\nout\n```" } }] },
      ]);
    });
  },
);

describe.each(stages)("a session of the other version, $name", (stage) => {
  test("emits its updates again when it is loaded", async () => {
    const project = createProject({ "a.txt": "old" });
    const { server, agent } = await serve(
      stage,
      [
        { reasoning: "Read it.", ...calls(["read", { path: project.at("a.txt") }]) },
        calls(["task", { title: "Ask somebody", prompt: "Go" }]),
        { text: "An answer." },
        { text: "Fine." },
        { text: "Yes." },
      ],
      project.path,
    );
    const first = await (await connect(stage.version, agent, { cwd: project.path })).newSession();
    await first.prompt("Read it");
    const other = await connect(stage.version === 1 ? 2 : 1, agent, { cwd: project.path });
    const loaded = await other.reopen(first.id, { replay: true });
    expect(loaded.timeline()).toMatchObject([
      { type: "user_message" },
      { type: "agent_thought", text: "Read it." },
      { type: "tool_call", title: "Read a.txt", status: "completed" },
      { type: "tool_call", title: "Ask somebody", status: "completed" },
      { type: "agent_message", text: "Fine." },
    ]);
    await loaded.prompt("Is it?");
    expect(JSON.stringify(server.requests[4])).toMatch(/Fine\..*Is it\?/u);
  });

  test("shows again which commands have failed", async () => {
    const lines = ["exit 3", "kill -9 $$", "sleep 60", "echo 'Exit code: 3'"];
    const inputs = lines.map((command) => ["run", { command, timeout: command === "sleep 60" ? 1 : 60 }] as const);
    const { path: cwd } = createProject();
    const { agent, client } = await serve(stage, [calls(...inputs), { text: "Fine." }], cwd);
    const first = await (await client()).newSession();
    await first.prompt("Run them");
    const loaded = await (
      await connect(stage.version === 1 ? 2 : 1, agent, { cwd })
    ).reopen(first.id, { replay: true });
    const statuses = ["failed", "failed", "failed", "completed"];
    for (const session of [first, loaded])
      expect(session.shown("tool_call").map(({ status }) => status)).toEqual(statuses);
  });
});
