import { expect, test } from "vitest";

import { CommandLineError, parseCommandLine } from "./command-line.ts";

test("parseCommandLine() takes an agent's command behind --, with its own options", () => {
  expect(
    parseCommandLine(["--log", "a.log", "-r", "a.ndjson", "--full", "--", "my-agent", "--acp", "--help"]),
  ).toMatchObject({
    kind: "tap",
    agent: { command: "my-agent", args: ["--acp", "--help"] },
    log: "a.log",
    record: "a.ndjson",
    isFull: true,
    stable: false,
    withSecrets: false,
    framing: { name: "ndjson" },
  });
  expect(parseCommandLine(["--framing=content-length", "--", "my-agent"])).toMatchObject({
    framing: { name: "content-length" },
  });
});

test("parseCommandLine() takes a recording", () => {
  expect(parseCommandLine(["a.ndjson", "--stable"])).toEqual({
    kind: "read",
    recording: "a.ndjson",
    log: undefined,
    isFull: false,
    stable: true,
    withSecrets: false,
  });
});

test("parseCommandLine() takes the page to make of a recording, and what is for logs or agents is refused", () => {
  expect(parseCommandLine(["a.ndjson", "--out", "a.html", "--without-text"])).toEqual({
    kind: "page",
    recording: "a.ndjson",
    out: "a.html",
    stable: false,
    withSecrets: false,
    withoutText: true,
  });
  for (const args of [
    ["a.ndjson", "--without-text"],
    ["a.ndjson", "--out", "a.html", "--full"],
    ["a.ndjson", "--out", "a.html", "--log", "a.log"],
    ["--out", "a.html", "--", "my-agent"],
    ["--without-text", "https://agents.example/acp"],
  ])
    expect(() => parseCommandLine(args)).toThrow(CommandLineError);
});

test("parseCommandLine() takes two recordings to compare, and refuses what is for one or for agents", () => {
  expect(parseCommandLine(["a.ndjson", "--compare", "b.ndjson"])).toEqual({
    kind: "compare",
    recording: "a.ndjson",
    other: "b.ndjson",
    out: undefined,
    stable: false,
    withSecrets: false,
    withoutText: false,
  });
  for (const args of [
    ["--compare", "b.ndjson", "--", "my-agent"],
    ["--compare", "b.ndjson", "https://agents.example/acp"],
    ["a.ndjson", "-c", "b.ndjson", "--log", "a.log"],
    ["a.ndjson", "-c", "b.ndjson", "--without-text"],
    ["a.ndjson", "-c"],
  ])
    expect(() => parseCommandLine(args)).toThrow(CommandLineError);
});

test("parseCommandLine() takes a URL, and headers for it", () => {
  const headers = ["-H", "Authorization: Bearer a:b", "--header", "X-Team:blue "];
  expect(parseCommandLine(["https://agents.example/acp", ...headers])).toMatchObject({
    kind: "tap",
    agent: {
      url: "https://agents.example/acp",
      headers: { Authorization: "Bearer a:b", "X-Team": "blue" },
    },
  });
});

test("parseCommandLine() takes a command without the first --, which Bun takes away", () => {
  const parse = (...args: string[]): unknown => parseCommandLine(args, true);
  expect(parse("node", "agent.mjs", "--acp")).toMatchObject({
    agent: { command: "node", args: ["agent.mjs", "--acp"] },
  });
  expect(parse("my-agent", "--acp")).toMatchObject({ agent: { command: "my-agent", args: ["--acp"] } });
  expect(parse("my-agent")).toMatchObject({ agent: { command: "my-agent", args: [] } });
  expect(parse("--full", "--", "my-agent")).toMatchObject({ agent: { command: "my-agent" }, isFull: true });
  expect(parse(import.meta.filename)).toMatchObject({ kind: "read", recording: import.meta.filename });
  expect(parse("https://agents.example/acp", "--full")).toMatchObject({ agent: { url: "https://agents.example/acp" } });
});

test.each([
  [[], "There is no agent"],
  [["--"], "There is no agent"],
  [["--full"], "There is no agent"],
  [["a.ndjson", "--", "agent"], "Unexpected argument 'a.ndjson'."],
  [["--full", "a.ndjson", "b"], "Unexpected argument 'b'."],
  [["--framing", "xml", "--", "agent"], "Unknown framing 'xml'"],
  [["--record", "b.ndjson", "a.ndjson"], "--record applies to agents"],
  [["-H", "A: b", "a.ndjson"], "--header applies to agents"],
  [["-H", "A: b", "--", "agent"], "--header applies to URLs"],
  [["-H", "secret", "http://a/"], 'A --header must be "Name: value"'],
  [["http://a/", "--", "agent"], "Unexpected argument 'http://a/'."],
  [["--nonsense", "--", "agent"], "--nonsense"],
])("parseCommandLine() names the mistake in %j", (args, message) => {
  expect(() => parseCommandLine(args)).toThrow(CommandLineError);
  expect(() => parseCommandLine(args)).toThrow(message);
});

test("parseCommandLine() helps", () => {
  expect(parseCommandLine(["-h"])).toEqual({ kind: "help" });
});
