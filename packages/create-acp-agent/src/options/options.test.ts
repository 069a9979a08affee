import { expect, test } from "vitest";

import { readOptions, UsageError } from "./options.ts";

const defaults = { git: false, yes: false, dryRun: false, help: false, version: false };

test.each([
  [[], defaults],
  [["x", "--template", "echo", "--lang=js"], { ...defaults, name: "x", template: "echo", language: "js" }],
  // npm takes the `--` away; others leave it, in front or behind the name.
  [["--", "x", "--client"], { ...defaults, name: "x", template: "client" }],
  [["x", "--", "--web"], { ...defaults, name: "x", template: "page" }],
  [["--client", "--template", "client"], { ...defaults, template: "client" }],
  [["--runtime", "deno", "--pm", "yarn"], { ...defaults, runtime: "deno", packageManager: "yarn" }],
  [["-y"], { ...defaults, yes: true }],
  [["--no-interactive"], { ...defaults, yes: true }],
  [["--install", "--git", "--dry-run"], { ...defaults, install: true, git: true, dryRun: true }],
  [["--no-install"], { ...defaults, install: false }],
])("%j are options", (args, expected) => {
  expect(readOptions(args)).toEqual(expected);
});

test.each([
  [["--template", "nonsense"], '--template is "nonsense", and has to be model, echo, client, page.'],
  [["--template"], "--help"],
  [["--lang", "TS"], '--lang is "TS"'],
  [["--runtime="], '--runtime is ""'],
  [["--nonsense"], "Unknown option '--nonsense'. Run it with --help"],
  [["a", "b"], "There is one folder too many: b. Put a name with spaces in quotes."],
  [["--client", "--web"], "Choose one template: client or page."],
  [["--template", "constructor"], "--template"],
])("%j is refused: %s", (args, message) => {
  expect(() => readOptions(args)).toThrow(UsageError);
  expect(() => readOptions(args)).toThrow(message);
});
