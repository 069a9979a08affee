import { existsSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { serveModel } from "../../../../packages/ai/test/support/model-server.ts";
import { LoginFile } from "../login/login-file.ts";
import { createCoder } from "./create-coder.ts";
import { type Answer, connect } from "./testing/connect.ts";
import { calls, info, play, stages, toConfigured } from "./testing/models.ts";
import { createProject } from "../tools/testing/project.ts";

const price = { currency: "USD", input: 10_000, output: 50_000 };

describe.each(stages)("the coder, $name", (stage) => {
  test("streams the model's thoughts and text, and reports the cost", async () => {
    const { path: cwd } = createProject();
    const { session } = await play(stage, [{ reasoning: "Be polite.", text: "Good morning to you." }], {
      cwd,
      model: { price },
    });
    expect(await session.prompt("Hello")).toMatchObject({ stopReason: "end_turn" });
    expect(session.timeline()).toMatchObject([
      { type: "user_message", text: "Hello" },
      { type: "agent_thought", text: "Be polite." },
      { type: "agent_message", text: "Good morning to you." },
    ]);
    // 100 tokens of input, 20 of output.
    expect(session.usage).toMatchObject({ used: 120, size: 100_000, cost: { amount: 2, currency: "USD" } });
    expect(session.title).toBe("Hello");
  });

  test("works with tools: those that read at once, those that change things with permission", async () => {
    const project = createProject({ "a.txt": "old" });
    const { session, client, server } = await play(
      stage,
      [
        calls(["read", { path: project.at("a.txt") }], ["run", { command: "echo hello" }]),
        calls(["write", { path: project.at("b.txt"), text: "new" }]),
        { text: "Done." },
      ],
      { cwd: project.path, answer: () => "allow_once" },
    );
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(client.questions).toHaveLength(2);
    expect(project.read("b.txt")).toBe("new");
    const shown = session.shown("tool_call");
    expect(shown.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    expect(JSON.stringify(server.requests.at(-1))).toContain("hello");
  });

  test("tells the model that the user has refused, and asks no more after `always`", async () => {
    const project = createProject();
    const answers: Answer[] = ["reject_once", "allow_always"];
    const { session, client, server } = await play(
      stage,
      [
        calls(["run", { command: "touch one" }]),
        calls(["run", { command: "touch two" }]),
        calls(["run", { command: "touch two" }]),
        { text: "Done." },
      ],
      { cwd: project.path, answer: () => answers.shift() ?? "reject_once" },
    );
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(client.questions).toHaveLength(2);
    expect([existsSync(project.at("one")), existsSync(project.at("two"))]).toEqual([false, true]);
    expect(session.shown("tool_call").map(({ status }) => status)).toEqual(["failed", "completed", "completed"]);
    expect(JSON.stringify(server.requests[1])).toContain("The user did not allow this.");
  });

  test("runs the calls of one answer at the same time", async () => {
    const { path: cwd } = createProject();
    const meet = (own: string, other: string): readonly [string, object] => {
      return ["run", { command: `touch ${own}; until [ -e ${other} ]; do sleep 0.05; done; echo ${own} is here` }];
    };
    const { session, server } = await play(stage, [calls(meet("a", "b"), meet("b", "a")), { text: "Done." }], {
      cwd,
      answer: () => "allow_once",
    });
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    // The results are in the order of the calls.
    expect(JSON.stringify(server.requests[1])).toMatch(/a is here.*b is here/u);
  });

  test("opens no session until somebody has logged in, if it has to be", async () => {
    const project = createProject();
    const login = new LoginFile(project.at("login"));
    const models = [toConfigured("main", await serveModel(stage.format, []))] as const;
    const client = await connect(stage.version, createCoder({ info, models, login }), { cwd: project.path });
    await expect(client.newSession()).rejects.toMatchObject({ wire: { code: -32000 } });
    await login.logIn("Ada");
    await client.newSession();
  });
});

describe.each(stages.filter(({ version }) => version === 2))("prompts of one session, $name", (stage) => {
  test("wait for each other", async () => {
    const { path: cwd } = createProject();
    const { session } = await play(stage, [{ text: "One." }, { text: "Two." }], { cwd });
    await Promise.all([session.prompt("First"), session.prompt("Second")]);
    expect(session.timeline().map(({ text }) => text)).toEqual(["First", "One.", "Second", "Two."]);
  });
});
