// What a start of the program loads, and that it is compiled once only.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import { clientProgram, temporaryDirectory, waitFor } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { ChatScreen, ready } from "../support/terminal/chat-screen.ts";

const dist = dirname(clientProgram);

/** The files that are loaded with a file, by what they are called without their hash. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  const name = file.replace(/-[\w-]{8}\.js$/u, "");
  if (found.has(name)) return found;
  found.add(name);
  const code = readFileSync(join(dist, file), "utf8");
  for (const [, other = ""] of code.matchAll(/^(?:import|export) .*?"\.\/([^"]+)";$/gmu)) loadedWith(other, found);
  return found;
}

const builtFrom = (name: string): string =>
  readdirSync(dist).find((file) => new RegExp(String.raw`^${name}-[\w-]{8}\.js$`, "u").test(file)) ?? name;

test("every command starts with one file, and the first frame needs one more", () => {
  expect([...loadedWith("main.js")]).toEqual(["main.js", "folders"]);
  expect([...loadedWith(builtFrom("program"))].toSorted()).toEqual(["program", "start"]);
  for (const name of ["chat", "session-recorder", "resolve-agent", "run-ui"])
    expect([...loadedWith(builtFrom(name))].filter((other) => other !== name).toSorted()).toEqual([
      "folders",
      "start",
      "ui",
    ]);
});

test("what makes a question, and its rules for secrets, comes with the first question", () => {
  for (const name of ["start", "ui"])
    expect(readFileSync(join(dist, builtFrom(name)), "utf8")).not.toMatch(/^import .*"@acp\/record";$/mu);
});

test("what the user interface has compiled is kept while it runs, so a kill takes nothing from the next start", async () => {
  using directory = temporaryDirectory();
  const compiled = join(directory.path, "compiled");
  using screen = new ChatScreen(scriptedAgent(directory.path, ""), {
    cwd: directory.path,
    env: { NODE_COMPILE_CACHE: compiled },
  });
  await screen.shows(ready);
  await waitFor(() => readdirSync(compiled, { recursive: true }).join("\n"), /\n/u);
});
