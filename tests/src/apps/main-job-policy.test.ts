// What the options `--allow-…` of the reference client let an agent do, and what not: whether it asks or not.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { clientProgram, run, temporaryDirectory } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  /** Those of the watched files that the agent has made. */
  readonly files: readonly string[];
}

/** Runs an agent of these steps in a directory of its own; says which of the files are there afterwards. */
async function attempt(options: readonly string[], body: string, watched: readonly string[]): Promise<Outcome> {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, "a.txt"), "text of a");
  const here = options.map((option) => option.replace("<here>", directory.path));
  const script = `const here = ${JSON.stringify(directory.path)}; ${body}; end("end_turn");`;
  const args = ["--cwd", directory.path, ...here, "--prompt", "go", ...scriptedAgent(directory.path, script)];
  const { stdout, stderr } = await run([clientProgram, ...args]);
  const files = watched.filter((name) => existsSync(join(directory.path, name)));
  return { stdout, stderr, files };
}

const start = (command: string, args?: readonly string[]): string => `{
  const made = await request("terminal/create", ${JSON.stringify({ command, args })});
  if (made !== undefined) await request("terminal/wait_for_exit", { terminalId: made.terminalId });
}`;
const options = JSON.stringify([
  { optionId: "yes", name: "Do it", kind: "allow_once" },
  { optionId: "no", name: "Leave it", kind: "reject_once" },
]);
const ask = (toolCall: object): string =>
  `say("<" + (await request("session/request_permission", { toolCall: ${JSON.stringify({ toolCallId: "c", ...toolCall })}, options: ${options} })).outcome.optionId + ">\\n")`;

test("--allow-command runs that command, and no other of an agent that never asks", async () => {
  const body = [["touch", ["good"]], ["touch", ["bad"]], ["touch good2"], ["touch good && touch bad2"]] as const;
  const script = body.map(([command, args]) => start(command, args)).join(";");
  const { files, stdout } = await attempt(["--allow-command", "touch good", "--allow-command", "touch good2"], script, [
    "good",
    "good2",
    "bad",
    "bad2",
  ]);
  expect(files).toEqual(["good", "good2"]);
  expect(stdout).toContain("$ touch bad");
  expect(stdout).toContain("$ touch good && touch bad2");
});

test("without rules, and with --allow, commands run as before", async () => {
  expect((await attempt([], start("touch", ["a"]), ["a"])).files).toEqual(["a"]);
  expect((await attempt(["--allow"], start("touch", ["a"]), ["a"])).files).toEqual(["a"]);
});

test("--allow-command answers questions about that command, under any title", async () => {
  const script = [
    ask({ title: "Anything", kind: "execute", rawInput: { command: "npm test" } }),
    ask({ title: "npm test", kind: "execute", rawInput: { command: "npm test; rm x" } }),
    ask({ title: "npm test", kind: "execute" }),
  ].join(";");
  const { stdout } = await attempt(["--allow-command", "npm test"], script, []);
  expect(stdout.match(/<(?:yes|no)>/gu)).toEqual(["<yes>", "<no>", "<no>"]);
  expect(stdout).toContain("(--allow-command)");
});

test("a question that was allowed lets nothing else through", async () => {
  const script = `${ask({ title: "x", kind: "execute", rawInput: { command: "touch good" } })}; ${start("touch", ["bad"])}`;
  const { stdout, files } = await attempt(["--allow-command", "touch good"], script, ["bad"]);
  expect(stdout).toContain("<yes>");
  expect(files).toEqual([]);
});

test("--allow-read and --allow-edit are about folders", async () => {
  const read = `say(JSON.stringify(await request("fs/read_text_file", { path: here + "/a.txt" })) + "\\n")`;
  const write = `await request("fs/write_text_file", { path: here + "/b.txt", content: "" })`;
  const both = `${read}; ${write}`;
  const reading = await attempt(["--allow-read", "<here>"], both, ["b.txt"]);
  expect(reading.stdout).toContain('{"content":"text of a"}');
  expect(reading.files).toEqual([]);
  const editing = await attempt(["--allow-edit", "<here>"], both, ["b.txt"]);
  expect(editing.stdout).toContain('{"content":"text of a"}');
  expect(editing.files).toEqual(["b.txt"]);
  expect((await attempt(["--allow-edit", "<here>/else"], both, ["b.txt"])).stdout).toContain("undefined");
});

test("--allow goes with no rule", async () => {
  const { stderr } = await attempt(["--allow", "--allow-read", "."], "", []);
  expect(stderr).toContain("--allow allows everything. Remove it, or remove --allow-read");
  expect((await attempt(["--allow-command", ""], "", [])).stderr).toContain("--allow-command needs a command");
});
