import { describe, expect, test } from "vitest";

import { serveModel } from "../../../../packages/ai/test/support/model-server.ts";
import type { Answer, TestSession } from "./testing/connect.ts";
import { calls, play, stages, toConfigured } from "./testing/models.ts";
import { createProject } from "../tools/testing/project.ts";

describe.each(stages)("in the middle of a turn, $name", (stage) => {
  test("a change of the mode counts: in `code` edits need no permission", async () => {
    const project = createProject();
    const { session, client } = await play(
      stage,
      [
        calls(["write", { path: project.at("a.txt"), text: "a" }]),
        calls(["write", { path: project.at("b.txt"), text: "b" }]),
        { text: "Done." },
      ],
      {
        cwd: project.path,
        answer: async (): Promise<Answer> => {
          await session.set("mode", "code");
          return "allow_once";
        },
      },
    );
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(client.questions).toHaveLength(1);
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual(["a", "b"]);
  });

  test("a change to `plan` takes the tools that change something away", async () => {
    const project = createProject();
    const { session, server } = await play(
      stage,
      [
        calls(["run", { command: "true" }]),
        calls(["write", { path: project.at("a.txt"), text: "a" }]),
        { text: "So." },
      ],
      {
        cwd: project.path,
        answer: async (): Promise<Answer> => {
          await session.set("mode", "plan");
          return "allow_once";
        },
      },
    );
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    const offered = server.requests.map((body) => JSON.stringify(body["tools"]));
    expect(offered[0]).toContain('"write"');
    expect(offered[1]).toContain('"read"');
    expect(offered[1]).not.toMatch(/"(?:write|run)"/u);
    // A model that calls it nevertheless gets an error.
    expect(project.has("a.txt")).toBe(false);
  });

  test("a change of the model counts, with its efforts", async () => {
    const project = createProject();
    const other = await serveModel(stage.format, [{ text: "Here is the other one." }]);
    const first = await serveModel(stage.format, [calls(["run", { command: "true" }])]);
    const models = [
      toConfigured("first", first),
      toConfigured("other", other, { efforts: ["low", "high"], contextSize: 5000 }),
    ] as const;
    let session: TestSession | undefined;
    const scene = await play(stage, [], {
      cwd: project.path,
      coder: { models },
      answer: async (): Promise<Answer> => {
        await session?.set("model", "other");
        await session?.set("effort", "high");
        return "allow_once";
      },
    });
    ({ session } = scene);
    expect(session.options()).toMatchObject({ model: { current: "first", values: ["first", "other"] } });
    expect(session.options()).not.toHaveProperty("effort");
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(first.requests).toHaveLength(1);
    expect(other.requests).toHaveLength(1);
    expect(session.options()).toMatchObject({ effort: { current: "high", values: ["default", "low", "high"] } });
    expect(session.usage).toMatchObject({ size: 5000 });
  });

  test("the user's message reaches the model with the next step", async () => {
    const project = createProject();
    let outcome: Promise<string> | undefined;
    const scene = await play(stage, [calls(["run", { command: "true" }]), { text: "Yes." }], {
      cwd: project.path,
      answer: async (): Promise<Answer> => {
        outcome = scene.session.steer("Be brief");
        return "allow_once";
      },
    });
    expect(await scene.session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(await outcome).toBe("injected");
    expect(JSON.stringify(scene.server.requests[1])).toContain("Be brief");
  });
});
