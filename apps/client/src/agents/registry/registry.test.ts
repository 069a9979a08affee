import { expect, test } from "vitest";

import { parseRegistry, platformName } from "./registry.ts";

const entry = {
  id: "a",
  name: "A",
  version: "1.2.3",
  description: "An agent",
  distribution: { npx: { package: "@a/a@1.2.3", args: ["--acp"], env: { K: "v" } } },
};

test("parseRegistry() reads all kinds of distributions, and tolerates unknown ones", () => {
  const archive = { archive: "https://example.com/b.zip", cmd: "./b" };
  const agents = [
    { ...entry, icon: "a.svg", authors: ["x"] },
    { ...entry, id: "b", distribution: { binary: { "linux-x86_64": archive, "plan9-mips": archive } } },
    { ...entry, id: "c", distribution: { uvx: { package: "c==1" }, docker: { image: "c" } } },
  ];
  expect(parseRegistry(JSON.stringify({ version: "1.0.0", agents, extensions: [] }))).toEqual([
    entry,
    {
      ...entry,
      id: "b",
      distribution: {
        binary: {
          "linux-x86_64": { ...archive, args: [], env: {} },
          "plan9-mips": { ...archive, args: [], env: {} },
        },
      },
    },
    { ...entry, id: "c", distribution: { uvx: { package: "c==1", args: [], env: {} } } },
  ]);
});

test.each([
  ["an id that leads elsewhere", { ...entry, id: "../a" }],
  ["a version that leads elsewhere", { ...entry, version: "../1" }],
  ["no distribution", { ...entry, distribution: undefined }],
  ["nothing", null],
])("parseRegistry() skips an entry with %s", (_name, wrong) => {
  expect(parseRegistry(JSON.stringify({ agents: [wrong, entry] }))).toEqual([entry]);
});

test.each([
  ["an option instead of a package", { package: "--eval", args: [] }],
  ["arguments that are no texts", { package: "a", args: [1] }],
  ["variables that are no texts", { package: "a", env: { K: 1 } }],
])("parseRegistry() skips a distribution with %s", (_name, npx) => {
  const [agent] = parseRegistry(JSON.stringify({ agents: [{ ...entry, distribution: { npx } }] }));
  expect(agent?.distribution).toEqual({});
});

test("parseRegistry() rejects a file that is not a registry", () => {
  expect(() => parseRegistry("[]")).toThrow("It is no registry");
  expect(() => parseRegistry("<html>")).toThrow("JSON");
});

test("platformName() names platforms as the registry does", () => {
  expect(platformName("linux", "x64")).toBe("linux-x86_64");
  expect(platformName("darwin", "arm64")).toBe("darwin-aarch64");
  expect(platformName("win32", "x64")).toBe("windows-x86_64");
  expect(platformName("freebsd", "x64")).toBeUndefined();
});
