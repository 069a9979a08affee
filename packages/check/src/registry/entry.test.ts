import { describe, expect, test } from "vitest";

import { distributionProblems, entryProblems } from "./entry.ts";
import { iconProblems } from "./icon.ts";

const entry = {
  id: "my-agent",
  name: "My agent",
  version: "1.2.3",
  description: "It works.",
  distribution: { npx: { package: "@me/my-agent@1.2.3", args: ["--acp"] } },
};

describe("agent.json", () => {
  test("of a folder of its name is fine", () => {
    expect(entryProblems(entry, "my-agent")).toEqual([]);
    expect(
      entryProblems({ ...entry, authors: ["me"], license: "MIT", repository: "https://a.example/b" }, "my-agent"),
    ).toEqual([]);
  });

  test.each([
    [{ id: "My-Agent" }, 'id is "My-Agent"'],
    [{ id: "1st" }, 'id is "1st"'],
    [{ id: "other" }, 'id is "other", and its folder is my-agent'],
    [{ name: "" }, "name is missing"],
    [{ description: 1 }, "description is missing"],
    [{ version: "1.2" }, 'version is "1.2"'],
    [{ version: "v1.2.3" }, 'version is "v1.2.3"'],
    [{ authors: "me" }, "authors is no list of texts"],
    [{ repository: "github" }, "repository is no URL"],
    [{ license: null }, "license is no text"],
  ])("%j is a problem", (change, problem) => {
    expect(entryProblems({ ...entry, ...change }, "my-agent")).toContain(problem);
  });

  test.each([[null], [[]], ["text"], [7]])("%j is not an entry", (value) => {
    expect(entryProblems(value, "my-agent")).toEqual(["agent.json is no object"]);
    expect(distributionProblems(value)).toHaveLength(1);
  });
});

const target = { archive: "https://a.example/releases/download/v1.2.3/a.tgz", cmd: "./a" };
const binary = { "darwin-aarch64": target, "linux-x86_64": target, "windows-x86_64": target };

describe("a distribution", () => {
  const problemsOf = (distribution: unknown): readonly string[] => distributionProblems({ ...entry, distribution });

  test.each([
    [{ npx: { package: "my-agent" } }],
    [{ npx: { package: "@me/my-agent@1.2.3", env: { A: "b" } } }],
    [{ uvx: { package: "my-agent==1.2.3" } }],
    [{ uvx: { package: "my-agent@1.2.3" } }],
    [{ binary }],
  ])("%j is fine", (distribution) => {
    expect(problemsOf(distribution)).toEqual([]);
  });

  test.each([
    [{}, "missing or empty"],
    [{ docker: {} }, "docker, which the registry does not know"],
    [{ npx: { package: "@me/my-agent@latest" } }, "and not a version"],
    [{ npx: { package: "my-agent@1.2.4" } }, "the version of agent.json is 1.2.3"],
    [{ uvx: { package: "my-agent>=1.0.0" } }, "the version of agent.json is 1.2.3"],
    [{ npx: { package: "" } }, "npx has no package"],
    [{ npx: { package: "a", args: "--acp" } }, "args of npx is no list of texts"],
    [{ npx: { package: "a", env: { A: 1 } } }, "env of npx is no object of texts"],
    [{ npx: { package: "a", cwd: "." } }, "npx has cwd"],
    [{ binary: { "linux-x86_64": target } }, "nothing for darwin and windows"],
    [{ binary: { ...binary, "linux-arm": target } }, "linux-arm, which is none of"],
    [{ binary: { ...binary, "linux-x86_64": { cmd: "a" } } }, "The archive of linux-x86_64 is no URL"],
    [{ binary: { ...binary, "linux-x86_64": { archive: target.archive } } }, "linux-x86_64 has no cmd"],
    [
      { binary: { ...binary, "linux-x86_64": { ...target, archive: "https://a.example/releases/latest/a.tgz" } } },
      "of the latest version",
    ],
    [
      { binary: { ...binary, "linux-x86_64": { ...target, archive: "https://a.example/download/v9.0.0/a.tgz" } } },
      "is of version 9.0.0",
    ],
  ])("%j is a problem", (distribution, problem) => {
    expect(problemsOf(distribution).join("\n")).toContain(problem);
  });
});

describe("an icon", () => {
  const path = '<path fill="currentColor" d="M0 0h16v16z"/>';

  test.each([
    [`<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">${path}</svg>`],
    [`<svg viewBox="0 0 16 16">${path}<path stroke="none"/></svg>`],
    [`<svg width='16' height='16' style="fill: currentColor"></svg>`],
    [`<svg stroke-width="2" width="16" height="16">${path}</svg>`],
  ])("%s is fine", (svg) => {
    expect(iconProblems(svg)).toEqual([]);
  });

  test.each([
    [`<svg>${path}</svg>`, "It has neither width and height nor a viewBox"],
    [`<svg width="32" height="32">${path}</svg>`, "It is 32 by 32, and not 16 by 16"],
    [`<svg viewBox="0,0,16,17">${path}</svg>`, "It is 16 by 17, and not 16 by 16"],
    [`<svg width="16" height="16">${path}<path fill="#F00"/></svg>`, "It paints with #F00"],
    [`<svg width="16" height="16">${path}<g style="stroke: red"/></svg>`, "It paints with red"],
    [`<svg width="16" height="16"><path d="M0 0"/></svg>`, "It paints nothing with currentColor"],
    ["no picture", "It has neither width and height nor a viewBox"],
  ])("%s is a problem", (svg, problem) => {
    expect(iconProblems(svg)).toContain(problem);
  });
});
