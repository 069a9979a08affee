import { linkSync, symlinkSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { createProject, type Project } from "../tools/testing/project.ts";
import { isProtectedName } from "./protected-names.ts";
import { isProtectedPlace } from "./protected-places.ts";

describe("isProtectedName()", () => {
  test.each([
    ".git",
    ".git/config",
    ".git/hooks/pre-commit",
    "sub/module/.git",
    "/p/.git/worktrees/a/config",
    "./x/../.git/config",
    ".GIT/config",
    ".Git/Hooks/x",
    ".git./config",
    ".git /config",
    ".git...",
    ".git::$INDEX_ALLOCATION/config",
    "GIT~1/config",
    ".g\u200Cit/config",
    ".\uFF47it/config",
    String.raw`C:\p\.git\config`,
    ".husky/pre-commit",
    ".envrc",
    "packages/a/.npmrc",
    ".vscode/tasks.json",
    ".idea/workspace.xml",
    ".agents/commands/x.md",
    ".claude/settings.json",
    "AGENTS.md",
    "packages/a/agents.MD",
    "CLAUDE.md",
    ".github/workflows/ci.yml",
    ".github/actions/a/action.yml",
    ".gitlab-ci.yml",
    ".bashrc",
    ".bash_profile",
    ".zshenv",
    ".zprofile",
    ".profile",
    "Documents/PowerShell/Microsoft.PowerShell_profile.ps1",
    ".config/fish/config.fish",
    ".ssh/authorized_keys",
    ".gitmodules",
    ".mcp.json",
    "a.code-workspace",
  ])("says yes to %s", (path) => {
    expect(isProtectedName(path)).toBe(true);
  });

  test.each([
    "src/a.ts",
    "package.json",
    "Makefile",
    ".gitignore",
    ".github/ISSUE_TEMPLATE/bug.md",
    "docs/git/config",
    "git",
    "README.md",
    "src/.gitkeep",
    ".env",
    "hooks/use-state.ts",
    "src/agents.ts",
    ".config/nextest.toml",
    "..",
  ])("says no to %s", (path) => {
    expect(isProtectedName(path)).toBe(false);
  });
});

describe("isProtectedPlace()", () => {
  const repository = (at: string): Record<string, string> => ({
    [`${at}/HEAD`]: "ref: refs/heads/main\n",
    [`${at}/config`]: "[core]\n",
    [`${at}/objects/x`]: "",
    [`${at}/refs/x`]: "",
  });

  const check = async (project: Project, names: readonly string[]): Promise<Record<string, boolean>> =>
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await isProtectedPlace(project.at(name))])));

  test("follows links, including those to missing files", async () => {
    const project = createProject({ "a.txt": "", ".git/config": "", "src/b.txt": "" });
    symlinkSync(".git", project.at("folder"));
    symlinkSync(".git/config", project.at("file"));
    symlinkSync(".git/hooks/pre-commit", project.at("nowhere"));
    symlinkSync("missing", project.at("gone"));
    symlinkSync("src", project.at("harmless"));
    expect(await check(project, ["folder/config", "folder/new/x", "file", "nowhere", "gone", "gone/x"])).toEqual({
      "folder/config": true,
      "folder/new/x": true,
      file: true,
      nowhere: true,
      gone: true,
      "gone/x": true,
    });
    expect(await check(project, ["a.txt", "harmless/b.txt", "new/x"])).toEqual({
      "a.txt": false,
      "harmless/b.txt": false,
      "new/x": false,
    });
  });

  test("says yes to a file with several names", async () => {
    const project = createProject({ ".git/config": "", "a.txt": "" });
    linkSync(project.at(".git/config"), project.at("b.txt"));
    expect(await check(project, ["a.txt", "b.txt"])).toEqual({ "a.txt": false, "b.txt": true });
  });

  test("finds a repository's folder by its content, and leaves a worktree inside of it free", async () => {
    const project = createProject({
      ...repository("bare"),
      ".git": "gitdir: bare\n",
      "bare/main/.git": "gitdir: ../worktrees/main\n",
      "bare/main/a.txt": "",
      "modules/x/HEAD": "",
      "modules/x/commondir": "../..\n",
    });
    expect(await check(project, ["bare/config", "bare/hooks/update", "modules/x/config"])).toEqual({
      "bare/config": true,
      "bare/hooks/update": true,
      "modules/x/config": true,
    });
    expect(await check(project, ["a.txt", "bare/main/a.txt"])).toEqual({ "a.txt": false, "bare/main/a.txt": false });
  });

  test("finds the hooks and the further settings that a repository names", async () => {
    const config = "[core]\n\thooksPath = tools/hooks\n[include]\n\tpath = ../team.gitconfig\n";
    const project = createProject({
      ".git/config": config,
      "sub/.git": "gitdir: ../.git/worktrees/sub\n",
      ".git/worktrees/sub/commondir": "../..\n",
      "tools/hooks/pre-commit": "",
      "tools/other": "",
    });
    expect(await check(project, ["tools/hooks/pre-commit", "tools/hooks/new", "team.gitconfig"])).toEqual({
      "tools/hooks/pre-commit": true,
      "tools/hooks/new": true,
      "team.gitconfig": true,
    });
    expect(await check(project, ["sub/tools/hooks/pre-commit", "tools/other", "sub/tools/other"])).toEqual({
      "sub/tools/hooks/pre-commit": true,
      "tools/other": false,
      "sub/tools/other": false,
    });
  });
});
