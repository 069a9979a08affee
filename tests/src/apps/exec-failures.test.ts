// Causes each failure in the table of the README with real programs, and compares the line, the advice and the exit code.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import {
  clientProgram,
  foreignAgent,
  run,
  temporaryDirectory,
  Program,
  waitFor,
} from "../support/main-job-programs.ts";

const directory = temporaryDirectory();
afterAll(() => directory[Symbol.dispose]());
const state = join(directory.path, "state");
const config = join(directory.path, "config");
const env = { XDG_STATE_HOME: state, XDG_CONFIG_HOME: config };

interface Row {
  readonly what: string;
  readonly line: RegExp;
  readonly code: number;
  /** Who has it: one command or option alone, or `acp exec` and `acp`. */
  readonly of: string | undefined;
}

const readme = readFileSync(new URL("../../../apps/client/README.md", import.meta.url), "utf8");
const rows = [
  ...readme.matchAll(/^\| (.+?)(?: \((exec|sessions|resume|continue)\))? +\| `(.+)` +\| (\d+) +\|$/gmu),
].map(([, what = "", of, line = "", code]): Row => ({
  what,
  line: new RegExp(
    `^${line
      .split(/<[^>]+>/u)
      .map((part) => part.replaceAll(/[()[\].+*?$^|\\/]/gu, String.raw`\$&`))
      .join(".*")}$`,
    "u",
  ),
  code: Number(code),
  of,
}));

const node = ["--", process.execPath];

/** A program of this text. */
function program(name: string, text: string): readonly string[] {
  const file = join(directory.path, `${name}.mjs`);
  writeFileSync(file, text);
  return [...node, file];
}

/** An agent that answers methods with these expressions of `params`, and others with nothing. */
function answering(name: string, answers: Readonly<Record<string, string>>): readonly string[] {
  const all: Record<string, string> = {
    initialize: "{ result: { protocolVersion: 1 } }",
    "session/new": '{ result: { sessionId: "s" } }',
    "session/prompt": '{ result: { stopReason: "end_turn" } }',
    ...answers,
  };
  const cases = Object.entries(all).map(([method, answer]) => `${JSON.stringify(method)}: () => (${answer})`);
  return program(
    name,
    `import { createInterface } from "node:readline";
const answers = { ${cases.join(", ")} };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  const answer = answers[method]?.();
  if (answer !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
}`,
  );
}

const error = (code: number, message: string, data?: string): string =>
  `{ error: { code: ${code}, message: ${JSON.stringify(message)}${data === undefined ? "" : `, data: ${data}`} } }`;

const notExecutable = join(directory.path, "agent.txt");
writeFileSync(notExecutable, "no program");
chmodSync(notExecutable, 0o644);
mkdirSync(join(directory.path, "broken-config", "acp"), { recursive: true });
writeFileSync(join(directory.path, "broken-config", "acp", "config.json"), "{ broken");
writeFileSync(join(directory.path, "no-folder"), "");

const good = answering("good", {});
const quiet = ["--start-timeout", "0.5"];
/** Long enough for a program to start. */
const patient = "10";
const logins = '{ result: { protocolVersion: 1, authMethods: [{ id: "key", name: "By a key" }] } }';
const reopening = "{ result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } }";
const asking = foreignAgent(
  directory.path,
  `send({ id: "q", method: "session/request_permission", params: { sessionId: "s", toolCall: { toolCallId: "c", title: "Edit it" },
  options: [{ optionId: "no", name: "No", kind: "reject_once" }] } });
  end("end_turn");`,
);

/** What to run: options, and the agent; `plain` if the plain client needs others. */
interface Cause {
  readonly args: readonly string[];
  readonly plain?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Instead of a prompt. */
  readonly input?: string;
  /** Runs before it. */
  before?(): Promise<unknown>;
}

const exec = (
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  input = "",
): ReturnType<typeof run> => run([clientProgram, "exec", "--cwd", directory.path, ...args], input, { ...env, ...more });
const named = (name: string): readonly string[] => ["--session", name, "x"];
const stopping = (stopReason: string): Cause => ({
  args: ["x", ...answering(stopReason, { "session/prompt": `{ result: { stopReason: "${stopReason}" } }` })],
});

const lost = answering("lost", { initialize: reopening, "session/load": error(-32002, "No such session") });
const holding = program("holding", `setInterval(() => {}, 1000); process.stdin.resume();`);

const causes: Readonly<Record<string, Cause>> = {
  "no such program": { args: ["x", "--", "no-such-agent"] },
  "no such file": { args: ["x", "--", join(directory.path, "no-such-agent")] },
  "a file that is not executable": { args: ["x", "--", notExecutable] },
  "the agent ends at once": {
    args: ["x", ...program("ends", `console.error("no such model"); process.exitCode = 3;`)],
  },
  "the agent dies in the turn": {
    args: ["x", ...answering("dies", { "session/prompt": `process.kill(process.pid, "SIGKILL")` })],
  },
  "a program that prints text, and ends": { args: ["x", ...program("prints", `console.log("Usage: agent --acp");`)] },
  "a program that prints text, and goes on": {
    args: [...quiet, "x", ...program("listens", `console.log("Listening"); setInterval(() => {}, 1000);`)],
  },
  "a program that speaks another protocol": {
    args: ["x", ...answering("other", { initialize: error(-32601, "Method not found") })],
  },
  "a program that sends back what it gets": { args: ["x", "--", "cat"] },
  "an answer that breaks the protocol": { args: ["x", ...answering("breaks", { initialize: "{ result: 5 }" })] },
  "only another version of the protocol": {
    args: ["x", ...answering("newer", { initialize: error(-32022, "Unsupported protocol version") })],
  },
  "no answer to initialize": { args: [...quiet, "x", ...holding] },
  "no answer to session/new": {
    args: ["--start-timeout", patient, "x", ...answering("silent", { "session/new": "undefined" })],
  },
  "`--timeout` has passed": {
    args: ["--timeout", patient, "x", ...answering("hangs", { "session/prompt": "undefined" })],
  },
  "a login is needed": {
    args: ["x", ...answering("login", { initialize: logins, "session/new": error(-32000, "Log in") })],
  },
  "the login fails": {
    args: [
      "--login",
      "key",
      "x",
      ...answering("no-login", { initialize: logins, authenticate: error(-32603, "Wrong key") }),
    ],
  },
  "no such session": {
    args: [...named("lost"), ...lost],
    plain: ["--load", "gone", "-p", "x", ...lost],
    before: () => exec([...named("lost"), ...lost]),
  },
  "the agent cannot open sessions again": {
    args: [...named("once"), ...good],
    before: () => exec([...named("once"), ...good]),
  },
  "an unknown name of a session": { args: ["show", "nobody"] },
  "nothing to go on with": { args: [], env: { XDG_STATE_HOME: join(directory.path, "new-state") } },
  "nothing to choose from": { args: [], env: { XDG_STATE_HOME: join(directory.path, "new-state") } },
  "an unknown name or id": { args: ["nobody"] },
  "a broken configuration": {
    args: ["--agent", "any", "x"],
    env: { XDG_CONFIG_HOME: join(directory.path, "broken-config") },
  },
  "a broken file of a session": {
    args: [...named("broken"), ...good],
    env: { XDG_STATE_HOME: join(directory.path, "broken-state") },
    async before() {
      const broken = join(directory.path, "broken-state");
      await exec([...named("broken"), ...good], { XDG_STATE_HOME: broken });
      const { stdout } = await run(["-e", findSessionFile, broken]);
      writeFileSync(stdout, "{ broken");
    },
  },
  "an unusable state directory": {
    args: [...named("x"), ...good],
    env: { XDG_STATE_HOME: join(directory.path, "no-folder") },
  },
  "a permission is needed": { args: ["x", ...asking] },
  "an unknown option": { args: ["--nonsense", "x", ...good] },
  "a wrong value of an option": { args: ["--framing", "xml", "x", ...good] },
  "a missing directory": { args: ["--cwd", join(directory.path, "nowhere"), "x", ...good] },
  "no agent": { args: ["x"] },
  "no prompt": { args: [...good], plain: [...good] },
  "an unreadable prompt": { args: ["--file", join(directory.path, "nothing.md"), ...good] },
  "an unknown mode": {
    args: [
      "--mode",
      "fast",
      "x",
      ...answering("modes", {
        "session/new":
          '{ result: { sessionId: "s", modes: { currentModeId: "slow", availableModes: [{ id: "slow", name: "Slow" }] } } }',
      }),
    ],
  },
  "an unknown login": { args: ["--login", "none", "x", ...good] },
  "the trace cannot be written": { args: ["--trace", join(directory.path, "no", "trace.jsonl"), "x", ...good] },
  "another agent for a name": {
    args: [...named("once"), "--", "another"],
    before: () => exec([...named("once"), ...good]),
  },
  "the agent refuses the prompt": {
    args: ["x", ...answering("refuses", { "session/prompt": error(-32602, "Nothing of that kind") })],
  },
  "a session that is in use": { args: [...named("busy"), ...good] },
  "the turn ends with a refusal": stopping("refusal"),
  "the answer is too long": stopping("max_tokens"),
  "too many requests": stopping("max_turn_requests"),
};

/** Finds the only `session.json` below a folder. */
const findSessionFile = `const { readdirSync } = require("node:fs"); const { join } = require("node:path");
const folder = join(process.argv[1], "acp", "sessions");
process.stdout.write(join(folder, readdirSync(folder)[0], "session.json"));`;

/** The lines from the failure on, without what stands before its message. */
function failureOf(stderr: string): readonly string[] {
  const [, failure = ""] = /^(?:✗|acp(?: \w+)?:) ([^]*)/mu.exec(stderr) ?? [];
  return failure.split("\n");
}

/** Whether a failure says what to do: below its line, or behind it. */
function hasAdvice([first = "", second = ""]: readonly string[]): boolean {
  return /^ {2,}\S/u.test(second) || /\. \S/u.test(first);
}

describe("failures", () => {
  test("all those of the table are caused here, and all that are caused are there", () => {
    expect(rows.map(({ what }) => what).toSorted()).toEqual(Object.keys(causes).toSorted());
  });

  /** Waits for nothing but a timeout: such causes wait together. */
  const waits = ({ what }: Row): boolean => causes[what]?.args.includes(patient) === true;

  async function failsInExec({ what, line, code, of }: Row): Promise<void> {
    const cause = causes[what];
    if (cause === undefined) throw new Error("No cause");
    const busy =
      what === "a session that is in use"
        ? new Program(
            [clientProgram, "exec", "--format", "json", "--cwd", directory.path, "--session", "busy", "x", ...holding],
            "",
            env,
          )
        : undefined;
    if (busy !== undefined) await waitFor(() => busy.stdout, /"start"/u);
    await cause.before?.();
    const ended =
      of === undefined || of === "exec"
        ? await exec(cause.args, cause.env)
        : await run(
            [clientProgram, of === "continue" ? "--continue" : of, ...cause.args, "--cwd", directory.path],
            "",
            { ...env, ...cause.env },
          );
    busy?.child.kill("SIGTERM");
    await busy?.ended;
    expect(failureOf(ended.stderr)[0]).toMatch(line);
    expect(hasAdvice(failureOf(ended.stderr)), ended.stderr).toBe(true);
    expect(ended.code).toBe(code);
  }

  async function failsInClient({ what, line, code }: Row): Promise<void> {
    const { args = [], plain, env: more = {} } = causes[what] ?? {};
    const own = plain ?? args.flatMap((word) => (word === "x" ? ["-p", "x"] : [word]));
    const ended = await run([clientProgram, "--cwd", directory.path, ...own], "", { ...env, ...more });
    expect(failureOf(ended.stderr)[0]).toMatch(line);
    expect(hasAdvice(failureOf(ended.stderr)), ended.stderr).toBe(true);
    expect(ended.code).toBe(code);
  }

  const inClient = rows.filter(({ of }) => of === undefined);
  test.concurrent.each(rows.filter(waits))("acp exec: $what ends with $code", failsInExec);
  test.concurrent.each(inClient.filter(waits))("acp: $what ends with $code", failsInClient);
  test.each(rows.filter((row) => !waits(row)))("acp exec: $what ends with $code", failsInExec);
  test.each(inClient.filter((row) => !waits(row)))("acp: $what ends with $code", failsInClient);

  test("a failure names the program, without its arguments and variables", async () => {
    const [, ...command] = program("keyed", "process.exitCode = 3;");
    const agent = ["--", "env", "SOME_KEY=aword", ...command, "--key=another"];
    const ended = [await exec(["x", ...agent]), await run([clientProgram, "-p", "x", ...agent], "", env)];
    for (const { stderr } of ended) {
      expect(failureOf(stderr)[0]).toMatch(/^The agent process \S+ \(pid \d+\) exited with code 3$/u);
      expect(stderr).not.toMatch(/aword|another|keyed/u);
    }
  });

  test("a failure does not advise --verbose to who has used it", async () => {
    const agents = [
      answering("refuses", { "session/prompt": error(-32602, "Nothing of that kind") }),
      answering("logs", { "session/prompt": error(-32603, "Internal error", '{ correlationId: "a-1" }') }),
      answering("closes", { "session/prompt": "process.exit(0)" }),
    ];
    for (const agent of agents) {
      const { code, stderr } = await exec(["--verbose", "x", ...agent]);
      expect(code).toBeGreaterThan(0);
      expect(stderr).not.toContain("--verbose");
    }
    const { stderr: late } = await exec(["--verbose", ...quiet, "x", ...holding]);
    expect(late).toContain("Give it longer with --start-timeout, or try --framing content-length\n");
  });

  test("a failure keeps the agent's own explanation", async () => {
    const { stderr } = await exec(["x", ...program("says", `console.error("no such model"); process.exitCode = 3;`)]);
    expect(stderr).toContain("\n  Below is the end of its stderr\n  no such model\n");
    const logged = error(-32603, "Internal error", '{ correlationId: "a-1" }');
    const { stderr: withId } = await exec(["x", ...answering("logs", { "session/prompt": logged })]);
    expect(withId).toMatch(/Run again with --verbose[^]*"a-1"/u);
  });
});
