import { describe, expect, test } from "vitest";

import { calls, play, stages } from "./testing/models.ts";
import { createProject } from "../tools/testing/project.ts";

describe.each(stages)("the model's instructions, $name", (stage) => {
  test("is the mode of the moment, and the guides of the user and the project as they are now", async () => {
    const project = createProject({ "AGENTS.md": "Use tabs." });
    const { path: configFolder } = createProject({ "AGENTS.md": "Call me Ada." });
    const { session, server } = await play(stage, [{ text: "One." }, { text: "Two." }], {
      cwd: project.path,
      coder: { configFolder },
    });
    await session.prompt("Hello");
    project.write("AGENTS.md", "Use spaces.");
    await session.set("mode", "plan");
    await session.prompt("Again");
    const [first, second] = server.requests.map((request) => JSON.stringify(request));
    expect(first).toContain(`Working directory: ${project.path}`);
    expect(first).toMatch(/mode of the session is `ask`.*Call me Ada\..*Use tabs\./su);
    expect(second).toMatch(/mode of the session is `plan`.*Call me Ada\..*Use spaces\./su);
    expect(second).not.toContain("Use tabs.");
  });

  test("is a prompt from a file, when the user calls a command of it", async () => {
    const project = createProject({
      ".agents/commands/explain.md": "---\nargument-hint: [path]\n---\nExplain $1 to a child.",
      ".claude/commands/help.md": "Not the help",
    });
    const { path: configFolder } = createProject({ "commands/mine.md": "What I always ask" });
    const { session, server } = await play(stage, [{ text: "It is a file." }, { text: "The answer." }], {
      cwd: project.path,
      coder: { configFolder },
    });
    const own = ["help", "compact", "init", "review", "mcp"];
    await expect.poll(() => session.commands()).toEqual([...own, "explain", "mine"]);
    await session.prompt("/explain a.ts");
    expect(JSON.stringify(server.requests[0])).toContain("Explain a.ts to a child.");
    // A command of the agent cannot be replaced.
    await session.prompt("/help");
    expect(server.requests).toHaveLength(1);
    expect(session.timeline().at(-1)?.text).toContain("`/explain [path]`");
    // A file that was written since then is a command with the next prompt.
    project.write(".claude/commands/new.md", "Say something new.");
    await session.prompt("/new");
    expect(JSON.stringify(server.requests[1])).toContain("Say something new.");
    expect(session.commands()).toEqual([...own, "explain", "mine", "new"]);
  });

  test("grants nothing: commands that the model runs for a file's prompt need a permission as always", async () => {
    const project = createProject({
      ".claude/commands/deploy.md": "---\nallowed-tools: run\n---\n!`touch ran`\nDeploy it.",
    });
    const { session, client } = await play(stage, [calls(["run", { command: "touch asked" }]), { text: "No." }], {
      cwd: project.path,
      answer: () => "reject_once",
    });
    await session.prompt("/deploy");
    expect(client.questions).toHaveLength(1);
    expect([project.has("ran"), project.has("asked")]).toEqual([false, false]);
  });

  test("has nothing to do with /mcp, which tells the user how the servers are", async () => {
    const { path: cwd } = createProject();
    const { session, server } = await play(stage, [], {
      cwd,
      mcpServers: [{ name: "broken", command: "/no/such/program", args: [], env: [] }],
    });
    await session.prompt("/mcp");
    expect(session.timeline().at(-1)?.text).toContain("broken is not running: ");
    expect(server.requests).toEqual([]);
  });
});
