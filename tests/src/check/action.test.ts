// The action for GitHub: its file is read, and its steps of the shell are run as a runner would, with our program as `npx`.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import process from "node:process";

import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { agentProgram, clientProgram, temporaryDirectory } from "../support/main-job-programs.ts";

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action = parse(readFileSync(new URL("../../../action/action.yml", import.meta.url), "utf8")) as Action;
const step = action.runs.steps.find(({ id }) => id === "check");

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly summary: string;
  readonly output: string;
  readonly words: readonly string[];
  readonly folder: string;
}

/** Runs the step with these inputs. `npx` is our program, and writes down its words. */
async function runStep(base: string, inputs: Readonly<Record<string, string>>): Promise<Run> {
  const bin = join(base, "bin");
  mkdirSync(bin, { recursive: true });
  const words = join(base, "words");
  writeFileSync(
    join(bin, "npx"),
    `#!/usr/bin/env bash\nprintf '%s\\n' "$@" > ${words}\nshift 3\nexec ${process.execPath} ${clientProgram} "$@"\n`,
  );
  chmodSync(join(bin, "npx"), 0o755);
  const [summary, output] = [join(base, "summary.md"), join(base, "output")];
  for (const file of [summary, output]) writeFileSync(file, "");
  const values = Object.entries(step?.env ?? {}).map(([name, expression]) => {
    const [, input = ""] = /^\$\{\{ inputs\.([\w-]+) \}\}$/u.exec(expression) ?? [];
    return [name, inputs[input] ?? action.inputs[input]?.default ?? ""] as const;
  });
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env["PATH"]}`,
    RUNNER_TEMP: base,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: output,
    ...Object.fromEntries(values),
  };
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", step?.run ?? ""];
    execFile("bash", args, { env, cwd: base }, (error, text) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout: text }),
    );
  });
  return {
    code,
    stdout,
    summary: readFileSync(summary, "utf8"),
    output: readFileSync(output, "utf8"),
    words: existsSync(words) ? readFileSync(words, "utf8").trimEnd().split("\n") : [],
    folder: join(base, "acp-check"),
  };
}

const only = "--only answers-initialize";

describe("the action", () => {
  test("is composite, needs no token, and no input is part of its script", () => {
    expect(action.runs.using).toBe("composite");
    expect(Object.keys(action.inputs).toSorted()).toEqual([
      "agent",
      "args",
      "artifact",
      "baseline",
      "client",
      "set",
      "version",
    ]);
    for (const { run = "", shell, uses } of action.runs.steps) {
      expect(run).not.toContain("${{");
      expect(shell === "bash" || uses !== undefined).toBe(true);
    }
    expect(JSON.stringify(action)).not.toMatch(/token/iu);
    expect(action.runs.steps.at(-1)).toMatchObject({
      if: "always()",
      uses: expect.stringContaining("upload-artifact"),
    });
  });

  test("checks an agent, and writes the summary and the files", async () => {
    using directory = temporaryDirectory();
    const agent = `${process.execPath} ${agentProgram}`;
    const ran = await runStep(directory.path, { agent, set: "2026-11", version: "1.2.3", args: only });
    expect({ code: ran.code, output: ran.output }).toEqual({ code: 0, output: "exit-code=0\n" });
    expect(ran.words.slice(0, 4)).toEqual(["--yes", "--package=@acp/cli@1.2.3", "acp", "check"]);
    expect(ran.words).toContain("2026-11");
    expect(ran.summary).toMatch(/^### ✅ Agent reference/u);
    for (const file of ["report.html", "report.xml", "report.json"])
      expect([file, existsSync(join(ran.folder, file))]).toEqual([file, true]);
  });

  test("fails with what fails, after it wrote the summary", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "agent.mjs");
    const answer = JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} });
    writeFileSync(file, `process.stdin.on("data", () => console.log(${JSON.stringify(answer)}));`);
    const ran = await runStep(directory.path, { agent: `${process.execPath} ${file}`, args: only });
    expect({ code: ran.code, output: ran.output }).toEqual({ code: 1, output: "exit-code=1\n" });
    expect(ran.summary).toMatch(/^### ❌ /u);
  });

  test("passes a client's command as one word, and runs nothing in it", async () => {
    using directory = temporaryDirectory();
    const client = "no-such-client --prompt '$(touch hacked)' `touch hacked` {agent}; touch hacked";
    const ran = await runStep(directory.path, { client, baseline: "" });
    expect(ran.words).toContain(client);
    expect({ code: ran.code, summary: ran.summary }).toEqual({ code: 6, summary: "" });
    expect(existsSync(join(directory.path, "hacked"))).toBe(false);
  });

  test("ends with 2 and says why if it is given neither", async () => {
    using directory = temporaryDirectory();
    const ran = await runStep(directory.path, {});
    expect(ran).toMatchObject({ code: 2, stdout: "::error::Give the input agent or client\n", words: [] });
  });
});
