import { join, resolve } from "node:path";

import { describe, expect, test } from "vitest";

import { NameError, projectNames } from "./names.ts";

const cwd = resolve("/work");
const names = (name: string): object => {
  const { folder, packageName, id, title } = projectNames(name, cwd, ["ai", "react"]);
  return { folder, packageName, id, title };
};

describe("a name", () => {
  test.each([
    ["my-agent", "my-agent", "my-agent", "my-agent", "My agent"],
    ["My Agent", "My Agent", "my-agent", "my-agent", "My agent"],
    ["  spaces  ", "spaces", "spaces", "spaces", "Spaces"],
    ["@me/my-agent", "my-agent", "@me/my-agent", "my-agent", "My agent"],
    ["@Me/My.Agent", "My.Agent", "@me/my-agent", "my-agent", "My agent"],
    ["a/b/c", "a/b/c", "c", "c", "C"],
    ["../beside", "../beside", "beside", "beside", "Beside"],
    [".hidden", ".hidden", "hidden", "hidden", "Hidden"],
    ["_under_", "_under_", "under", "under", "Under"],
    ["v1.2.3", "v1.2.3", "v1-2-3", "v1-2-3", "V1 2 3"],
    ["9lives", "9lives", "agent-9lives", "agent-9lives", "Agent 9lives"],
    ["Größe", "Größe", "gro-e", "gro-e", "Gro e"],
    ["智能", "智能", "my-agent", "my-agent", "My agent"],
    ["🤖", "🤖", "my-agent", "my-agent", "My agent"],
    ["it's $HOME `x` & co", "it's $HOME `x` & co", "it-s-home-x-co", "it-s-home-x-co", "It s home x co"],
    // Names of what the project depends on, or imports.
    ["ai", "ai", "ai-agent", "ai-agent", "Ai agent"],
    ["React", "React", "react-agent", "react-agent", "React agent"],
    ["http", "http", "http-agent", "http-agent", "Http agent"],
    ["constructor", "constructor", "constructor", "constructor", "Constructor"],
  ])("%j makes a folder, a package, an id and a title", (name, folder, packageName, id, title) => {
    expect(names(name)).toEqual({ folder: join(cwd, folder), packageName, id, title });
  });

  test("of a dot is that of the folder", () => {
    expect(names(".")).toEqual({ folder: cwd, packageName: "work", id: "work", title: "Work" });
  });

  test.each([
    "con",
    "NUL",
    "com1",
    "LPT9",
    "aux.txt",
    "a:b",
    "a*b",
    "what?",
    '"quoted"',
    "a|b",
    "a\\b",
    "line\nbreak",
    "bell\u0007",
    "dot.",
    "a".repeat(201),
    "ü".repeat(101),
    "/",
  ])("%j is refused, with a reason", (name) => {
    expect(() => names(name)).toThrow(NameError);
    expect(() => names(name)).toThrow(/cannot be the name: .+\.$/u);
  });
});
