// `acp check` as a program, with real agents and clients.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { isAlive } from "../support/is-alive.ts";
import {
  agentProgram,
  clientProgram,
  type Ended,
  Program,
  referenceAgent,
  run,
  temporaryDirectory,
  waitFor,
} from "../support/main-job-programs.ts";
import { TerminalScreen } from "../support/terminal/terminal-screen.ts";

const check = (...args: readonly string[]): Promise<Ended> => run([clientProgram, "check", ...args]);
const initialize = ["--only", "answers-initialize"];
const ourClient = `${process.execPath} ${clientProgram} exec {prompt} -- {agent}`;

/** An agent in plain JSON. `version` is an expression: how it answers the `n`th time that it is started. */
function countingAgent(folder: string, version: string): readonly string[] {
  const file = join(folder, "agent.mjs");
  writeFileSync(
    file,
    `import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
appendFileSync(${JSON.stringify(join(folder, "starts"))}, "x");
const n = readFileSync(${JSON.stringify(join(folder, "starts"))}).length;
for await (const line of createInterface({ input: process.stdin })) {
  const { id } = JSON.parse(line);
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: ${version} } }));
}
`,
  );
  return ["--", process.execPath, file];
}

/** A program that says nothing and ends only when it is killed. It writes the id of each of its processes to `pids`. */
function silentProgram(folder: string): { readonly words: readonly string[]; pids(): readonly number[] } {
  const file = join(folder, "silent.mjs");
  const pids = join(folder, "pids");
  writeFileSync(
    file,
    `import { appendFileSync } from "node:fs";
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
appendFileSync(${JSON.stringify(pids)}, process.pid + "\\n");
setInterval(() => {}, 1e6);
`,
  );
  const read = (): readonly number[] =>
    existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n").map(Number) : [];
  return { words: [process.execPath, file], pids: read };
}

describe("a program that cannot be started", () => {
  test.each([
    ["an agent", ["--", "no-such-agent"], "There is no program 'no-such-agent' on PATH"],
    ["an agent by its path", ["--", "./no-such-agent"], "There is no program ./no-such-agent"],
    ["a client", ["--client", "no-such-client {agent}"], "There is no program 'no-such-client' on PATH"],
    ["a file that is no program", ["--", import.meta.filename], `${import.meta.filename} may not be executed`],
  ])("%s ends with 6 and one sentence", async (_, args, message) => {
    const { code, stdout, stderr } = await check(...args);
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
    expect(stderr).toMatch(/^acp check: [^\n]+\n {2}[^\n]+\n$/u);
    expect(stderr).toContain(message);
  });

  test("nor can one that is reached nowhere", async () => {
    const { code, stderr } = await check("--url", "http://127.0.0.1:1/acp");
    expect(code).toBe(6);
    expect(stderr).toMatch(/^acp check: [^\n]*did not reach the server[^\n]*\n {2}Correct --url[^\n]*\n$/u);
  });
});

describe("a program that ends by itself", () => {
  const missing = `${process.execPath} /nowhere/program.mjs`;

  test.each([
    ["an agent", ["--", ...missing.split(" ")], "The agent has ended with exit code 1 before it said anything"],
    [
      "a client",
      ["--client", `${missing} {agent}`],
      "The client has ended with exit code 1 before it started its agent",
    ],
    [
      "a client that ends well",
      ["--client", "true {agent}"],
      "The client has ended with exit code 0 before it started",
    ],
  ])("%s ends with 6 and what it said, and is not checked", async (name, args, message) => {
    const { code, stdout, stderr } = await check("--timeout", "60", ...args);
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
    expect(stderr).toContain(`acp check: ${message}`);
    expect(stderr.includes("Cannot find module '/nowhere/program.mjs'")).toBe(name !== "a client that ends well");
  });

  test("by its first message fails the check that is about it", async () => {
    const dying = ["--", process.execPath, "-e", "process.stdin.once('data', () => process.exit(3))"];
    const { code, stdout } = await check(...initialize, "--timeout", "3", ...dying);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL +answers-initialize\n/u);
  });
});

test("--prompt-read reaches the checks of files, and {number} is another number each time", async () => {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, "notes.txt"), "some notes\n");
  const only = ["--only", "file-with-an-error,file-without-content", "--cwd", directory.path];
  const without = await check(...only, ...referenceAgent);
  expect(without.stdout).toContain('No prompt of the kind "read" was given');
  const { code, stdout } = await check(...only, "--prompt-read", "read notes.txt {number}", ...referenceAgent);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^PASS +file/mu);
});

describe("Ctrl-C", () => {
  test("ends a run with an agent that says nothing, and leaves no process", async () => {
    using directory = temporaryDirectory();
    const { words, pids } = silentProgram(directory.path);
    const program = new Program([clientProgram, "check", "--timeout", "1000", "--", ...words]);
    await waitFor(() => pids().join(), /\d/u);
    program.child.kill("SIGINT");
    expect(await program.ended).toEqual({ code: 130, stdout: "", stderr: "" });
    expect(pids().filter(isAlive)).toEqual([]);
  });

  test("ends a run with clients that never prompt, and leaves no process", async () => {
    using directory = temporaryDirectory();
    const { words, pids } = silentProgram(directory.path);
    const client = `${words.join(" ")} {agent}`;
    const program = new Program([clientProgram, "check", "--timeout", "1000", "--jobs", "2", "--client", client]);
    await waitFor(() => pids().join(), /\d/u);
    program.child.kill("SIGINT");
    expect(await program.ended).toMatchObject({ code: 130, stderr: "" });
    expect(pids().filter(isAlive)).toEqual([]);
  });
});

describe("a failure that does not come again", () => {
  test("is called flaky, and fails the run", async () => {
    using directory = temporaryDirectory();
    // The first start is to ask for its name.
    const agent = countingAgent(directory.path, `n === 2 ? "one" : 1`);
    const { code, stdout } = await check(...initialize, ...agent);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FLAKY +answers-initialize\n/u);
    expect(stdout).toContain("It failed and passed in 2 runs. The one that failed:\n");
    expect(stdout).toContain("0 passed, 0 failed, 1 flaky, ");
  });

  test("one that comes again is a failure", async () => {
    using directory = temporaryDirectory();
    const { code, stdout } = await check(...initialize, ...countingAgent(directory.path, `n > 1 ? "one" : 1`));
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^FAIL +answers-initialize\n/u) });
  });
});

describe("how it can be reached", () => {
  const token = "0123456789abcdef0123";

  test("over HTTP and a WebSocket, in both versions, with a token", async () => {
    const server = new Program([clientProgram, "serve", "--port", "0", "--token", token, ...referenceAgent], null);
    try {
      const said = await waitFor(() => server.stdout + server.stderr, /Ctrl-C/u);
      const [, address = ""] = /(127\.0\.0\.1:\d+)/u.exec(said) ?? [];
      for (const scheme of ["http", "ws"]) {
        const url = ["--url", `${scheme}://${address}/acp`];
        for (const protocol of ["1", "2"]) {
          const header = ["-H", `Authorization: Bearer ${token}`];
          const { code, stdout, stderr } = await check(...initialize, "--protocol", protocol, ...url, ...header);
          expect({ scheme, protocol, code, stderr }).toEqual({ scheme, protocol, code: 0, stderr: "" });
          expect(stdout).toContain(`Agent reference-agent 1.0.0, ACP version ${protocol}, `);
        }
        expect(await check(...initialize, ...url)).toMatchObject({ code: 6, stdout: "" });
      }
    } finally {
      server.child.kill("SIGINT");
      await server.ended;
    }
  });

  test("with headers of Content-Length, both sides", async () => {
    const framing = ["--framing", "content-length"];
    const agent = await check(...initialize, ...framing, ...referenceAgent, ...framing);
    expect(agent).toMatchObject({ code: 0, stderr: "" });
    const client = ourClient.replace("exec", "exec --framing content-length");
    const only = ["--only", "text-behind-the-answer"];
    expect(await check(...only, ...framing, "--client", client)).toMatchObject({ code: 0, stderr: "" });
    // A client that speaks lines does not get along with it.
    const { code, stdout } = await check(...only, ...framing, "--timeout", "2", "--client", ourClient);
    expect(stdout).toMatch(/^NOT REACHED +text-behind-the-answer\n/u);
    expect(code).toBe(0);
  });

  test("by a name of the configuration", async () => {
    using directory = temporaryDirectory();
    mkdirSync(join(directory.path, "acp"));
    const config = { agents: { mine: { command: process.execPath, args: [agentProgram] } } };
    writeFileSync(join(directory.path, "acp", "config.json"), JSON.stringify(config));
    const env = { XDG_CONFIG_HOME: directory.path };
    for (const name of [["--agent", "mine"], ["mine"]]) {
      const { code, stdout } = await run([clientProgram, "check", ...initialize, ...name], "", env);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("reference-agent") });
    }
    expect(await run([clientProgram, "check", ...initialize, "--agent", "no-such-name"], "", env)).toMatchObject({
      code: 11,
    });
  });
});

describe("how it runs", () => {
  test("four checks at a time give the same results in the same order", async () => {
    const verdicts = async (jobs: string): Promise<readonly string[]> => {
      const { stdout } = await check("--only", "INIT", "--jobs", jobs, ...referenceAgent);
      return stdout.split("\n").filter((line) => /^[A-Z]{4,} /u.test(line));
    };
    const one = await verdicts("1");
    expect(one.length).toBeGreaterThan(1);
    expect(await verdicts("4")).toEqual(one);
  });

  test("names its seed, which can be passed again", async () => {
    const { stdout } = await check(...initialize, ...referenceAgent);
    const [, seed = ""] = /--seed (\d+)\n$/u.exec(stdout) ?? [];
    const again = await check(...initialize, "--format", "json", "--seed", seed, ...referenceAgent);
    expect(JSON.parse(again.stdout)).toMatchObject({ seed: Number(seed) });
  });

  test("shows on a terminal how far it is, and takes that away", async () => {
    const screen = new TerminalScreen([clientProgram, "check", ...initialize, ...referenceAgent], { columns: 200 });
    expect(await screen.ended).toBe(0);
    expect(screen.raw).toContain("1 of 1 checks …");
    expect(screen.everything).not.toContain("of 1 checks");
  });

  test("shows nothing of a message that a terminal would obey", async () => {
    using directory = temporaryDirectory();
    const agent = countingAgent(directory.path, `"\\u001b[2J\\u009b1m\\u202e"`);
    const { stdout } = await check(...initialize, ...agent);
    // oxlint-disable-next-line no-control-regex -- that is what must not be there
    expect(stdout).not.toMatch(/[\u001b\u009b\u202e]/u);
    expect(stdout).toContain(String.raw`\u{202e}`);
  });

  test("a report that cannot be written ends it before anything runs", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "missing", "report.md");
    const { code, stdout, stderr } = await check("--out", file, ...countingAgent(directory.path, "1"));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`there is no folder ${join(directory.path, "missing")}`);
    expect(existsSync(join(directory.path, "starts"))).toBe(false);
  });
});
