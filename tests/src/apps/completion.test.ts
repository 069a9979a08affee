// `acp completion`, in the shells that are installed. Bash is everywhere where these tests run.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { clientProgram, referenceAgent, run, temporaryDirectory } from "../support/main-job-programs.ts";

let directory: ReturnType<typeof temporaryDirectory>;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  directory = temporaryDirectory();
  const [programs, files] = [join(directory.path, "bin"), join(directory.path, "files")];
  mkdirSync(programs);
  mkdirSync(join(files, "folder"), { recursive: true });
  writeFileSync(join(files, "session one.jsonl"), "");
  const acp = join(programs, "acp");
  // Whatever a name is, no shell may run it.
  const names = String.raw`if [ "$1 $2 $3" = "completion -- --agent" ]; then printf 'words\nmy-agent\n$(touch hacked)\n'; exit; fi`;
  writeFileSync(acp, `#!/bin/sh\n${names}\nexec '${process.execPath}' '${clientProgram}' "$@"\n`);
  chmodSync(acp, 0o755);
  env = {
    ...process.env,
    PATH: `${programs}:${process.env["PATH"]}`,
    HOME: directory.path,
  };
  const configuration = join(directory.path, ".config", "acp");
  mkdirSync(configuration, { recursive: true });
  const agents = { "own-agent": { command: "own" } };
  writeFileSync(join(configuration, "config.json"), JSON.stringify({ agents }));
  await nameSession();
});

/** Gives a session in the folder a name. */
async function nameSession(): Promise<void> {
  const options = ["exec", "--session", "first", "--cwd", join(directory.path, "files"), "help"];
  const { code, stderr } = await run([clientProgram, ...options, ...referenceAgent], "", { HOME: directory.path });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}
afterAll(() => directory[Symbol.dispose]());

/** Runs a shell with the script of completion as `$1`, and further arguments. */
function shell(program: string, options: readonly string[], code: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, [...options, "-c", code, ...words], {
    cwd: join(directory.path, "files"),
    env,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

const isInstalled = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

/** What is offered for the last word of a line. */
const inShells: Readonly<Record<string, (words: readonly string[]) => string[]>> = {
  bash(words) {
    const code = `source <(acp completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _acp; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines(shell("bash", ["--norc"], code, ["bash", ...words]));
  },
  zsh(words) {
    const stubs = `compdef() { :; }; compset() { :; }; compadd() { shift; print -rl -- "$@"; }
_describe() { local -a all=("\${(@P)argv[-1]}"); print -rl -- "\${all[@]%%:*}"; }
_files() { if [[ $1 == -/ ]]; then print -rl -- *(/N); else print -rl -- *(N); fi; }
_normal() { print -rl -- node; }`;
    const code = `${stubs}
source <(acp completion zsh); words=("$@"); CURRENT=$#; _acp`;
    const last = words.at(-1) ?? "";
    return lines(shell("zsh", ["-f"], code, ["zsh", ...words])).filter((word) => word.startsWith(last));
  },
  fish(words) {
    const line = words.map((word) => (/^-|^$/u.test(word) ? word : `'${word}'`)).join(" ");
    const code = `acp completion fish | source; complete -C ${JSON.stringify(line)} | string replace -r '\\t.*' ''; true`;
    return lines(shell("fish", ["--no-config"], code, []));
  },
};

function lines(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .toSorted();
}

describe.each(Object.keys(inShells).filter(isInstalled))("acp completion %s", (name) => {
  const complete = (...words: string[]): string[] => inShells[name]?.(["acp", ...words]) ?? [];

  test.each<[string[], string[]]>([
    [["repl"], ["replay"]],
    [
      ["agents", ""],
      ["add", "default", "list", "remove"],
    ],
    [["agents", "add", "--pro"], ["--project"]],
    [["replay", "--sp"], ["--speed"]],
    [
      ["--framing", ""],
      ["content-length", "ndjson"],
    ],
    [["serve", "--framing", "n"], ["ndjson"]],
    [
      ["completion", ""],
      ["bash", "fish", "zsh"],
    ],
    [["help", "rec"], ["record"]],
    // A value is no command, and what is behind another word is none either.
    [["--prompt", "agents", "--framing", "n"], ["ndjson"]],
    [["--login", ""], []],
  ])("offers for %j: %j", (words, offered) => {
    expect(complete(...words)).toEqual(offered);
  });

  test("offers files, directories and agents, and runs no name", () => {
    expect(complete("inspect", "session").join("")).toMatch(/session(?: |\\ )one\.jsonl/u);
    expect(complete("serve", "--files", "f").join("")).toMatch(/^folder\/?$/u);
    expect(complete("--agent", "")).toContain("my-agent");
    expect(complete("--agent", "my")).toEqual(["my-agent"]);
    expect(complete("agents", "remove", "own")).toEqual(["own-agent"]);
    expect(complete("sessions", "show", "")).toEqual(["first"]);
    expect(execFileSync("ls", [join(directory.path, "files")], { encoding: "utf8" })).toBe(
      "folder\nsession one.jsonl\n",
    );
  });

  test("offers programs behind --", () => {
    expect(complete("record", "x", "--", "node").some((program) => program === "node")).toBe(true);
  });
});

test("acp completion names the shells that it knows", async () => {
  expect(await run([clientProgram, "completion", "csh"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "acp completion: Name your shell: acp completion bash, acp completion zsh or acp completion fish\n",
  });
});
