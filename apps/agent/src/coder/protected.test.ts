import { renameSync, rmSync, symlinkSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { createProject } from "../tools/testing/project.ts";
import { calls, play, stages } from "./testing/models.ts";

const attack = "[core]\n\tfsmonitor = /p/x.sh\n";

describe.each(stages)("protected files, $name", (stage) => {
  test("are asked about in the mode code, where others are not", async () => {
    const project = createProject({ ".git/config": "[core]\n", "src/a.txt": "" });
    symlinkSync(project.at(".git"), project.at("link"));
    const { session, client } = await play(
      stage,
      [
        calls(["write", { path: "src/a.txt", text: "new" }], ["write", { path: "src/b.txt", text: "new" }]),
        calls(["write", { path: ".git/config", text: attack }]),
        calls(["write", { path: "src/../link/hooks/pre-commit", text: "rm" }]),
        calls(["write", { path: ".vscode/tasks.json", text: "{}" }]),
        { text: "Done." },
      ],
      {
        cwd: project.path,
        answer: (title) => (title.includes("tasks.json") ? "allow_once" : "reject_once"),
      },
    );
    await session.set("mode", "code");
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(client.questions).toEqual(["Write .git/config", "Write link/hooks/pre-commit", "Write .vscode/tasks.json"]);
    expect([project.read("src/a.txt"), project.read("src/b.txt")]).toEqual(["new", "new"]);
    expect([project.read(".git/config"), project.has(".git/hooks"), project.read(".vscode/tasks.json")]).toEqual([
      "[core]\n",
      false,
      "{}",
    ]);
  });

  test("are asked about each time, even if the user always allowed them", async () => {
    const project = createProject();
    const offered: string[][] = [];
    const { session, client } = await play(
      stage,
      [
        calls(["write", { path: "a.txt", text: "1" }]),
        calls(["write", { path: "b.txt", text: "1" }]),
        calls(["write", { path: "AGENTS.md", text: "1" }]),
        calls(["write", { path: "AGENTS.md", text: "2" }]),
        calls(["run", { command: "echo 3 > AGENTS.md" }]),
        { text: "Done." },
      ],
      {
        cwd: project.path,
        answer: (title, options) => {
          offered.push(options.map(({ name }) => name));
          return title === "Write a.txt" ? "allow_always" : "allow_once";
        },
      },
    );
    await session.prompt("Go");
    expect(client.questions).toEqual(["Write a.txt", "Write AGENTS.md", "Write AGENTS.md", "echo 3 > AGENTS.md"]);
    const scope = "writing whole files in this session, except for protected files";
    expect(offered).toEqual([
      ["Allow", `Always allow ${scope}`, "Reject", `Always reject ${scope}`],
      ["Allow", "Reject"],
      ["Allow", "Reject"],
      ["Allow", "Reject"],
    ]);
  });

  test("are not written if the path becomes a link to one while the user thinks", async () => {
    const project = createProject({ "src/config": "old", ".git/config": "old" });
    const { session } = await play(stage, [calls(["write", { path: "src/config", text: attack }]), { text: "Done." }], {
      cwd: project.path,
      answer: () => {
        renameSync(project.at("src"), project.at("before"));
        symlinkSync(project.at(".git"), project.at("src"));
        return "allow_once";
      },
    });
    await session.prompt("Go");
    expect(project.read(".git/config")).toBe("old");
    rmSync(project.at("src"));
    expect(session.shown("tool_call")).toMatchObject([{ status: "failed" }]);
  });
});
