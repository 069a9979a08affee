import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { at, crash, fail, type FakeAgentOptions, hang, raw, reply } from "@acp/testing";
import { describe, expect, test } from "vitest";

import {
  agentProgram,
  clientProgram,
  type Ended,
  Program,
  run,
  temporaryDirectory,
} from "../support/main-job-programs.ts";
import { isAlive } from "../support/is-alive.ts";
import { type Scripted, scripted } from "../support/scripted.ts";
import { TerminalScreen } from "../support/terminal/terminal-screen.ts";

const reference = [process.execPath, agentProgram, "--pace", "0"];

/** An agent that answers each prompt at once, and with these flaws. */
const flawed = (flaws?: FakeAgentOptions): Promise<Scripted> => scripted([], flaws);

/** What `acp doctor --json` prints. */
interface Printed {
  readonly ok: boolean;
  readonly exitCode: number;
  readonly launch: { readonly source: string; readonly path?: string; readonly version?: string };
  readonly agent?: {
    readonly name: string;
    readonly protocol: number;
    readonly logins: readonly { readonly id: string }[];
  };
  readonly protocol: {
    readonly used?: number;
    readonly offers: readonly { offered: number; answered?: number; error?: string }[];
  };
  readonly milliseconds: Readonly<Record<"start" | "handshake" | "session", number>>;
  readonly checks: readonly { readonly name: string; readonly status: string; readonly detail?: string }[];
  readonly problems: readonly { readonly level: string; readonly message: string; readonly advice?: string }[];
  readonly remarks: readonly string[];
  readonly stderr: readonly string[];
}

async function diagnose(
  command: readonly string[],
  options: readonly string[] = [],
): Promise<Ended & { readonly report: Printed }> {
  const ended = await run([clientProgram, "doctor", "--json", ...options, "--", ...command]);
  return { ...ended, report: JSON.parse(ended.stdout) as Printed };
}

function statusOf({ checks }: Printed): Record<string, string> {
  return Object.fromEntries(checks.map(({ name, status }) => [name, status]));
}

describe("acp doctor", () => {
  test("finds nothing wrong with the reference agent, and reports it to people", async () => {
    using directory = temporaryDirectory();
    const { code, stdout, stderr } = await run([clientProgram, "doctor", "--cwd", directory.path, "--", ...reference]);
    expect(stderr).toBe("");
    const expected = [
      "Agent     Reference agent, reference-agent 1.0.0",
      "version 1 offered: answers 1, version 2 offered: answers 2",
      "✓ session/new",
      "✓ session/load",
      "✓ session/resume",
      "✓ session/delete",
      "✓ All is well",
    ];
    for (const text of expected) expect(stdout).toContain(text);
    expect(code).toBe(0);
  });

  test("prints the same as one JSON object", async () => {
    using directory = temporaryDirectory();
    const { code, report, stderr } = await diagnose(reference, ["--cwd", directory.path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(report).toMatchObject({
      ok: true,
      exitCode: 0,
      launch: { source: "command", path: process.execPath, version: "@acp/agent 0.0.0" },
      agent: { name: "reference-agent", protocol: 1, logins: [] },
      protocol: {
        used: 1,
        offers: [
          { offered: 1, answered: 1 },
          { offered: 2, answered: 2 },
        ],
      },
      problems: [],
      remarks: [],
    });
    expect(new Set(Object.values(statusOf(report)))).toEqual(new Set(["ok"]));
    for (const time of ["start", "handshake", "session"] as const)
      expect(report.milliseconds[time]).toBeGreaterThanOrEqual(0);
  });

  test("tries the sessions of version 2", async () => {
    using directory = temporaryDirectory();
    const { code, report } = await diagnose(reference, ["--cwd", directory.path, "--protocol", "2"]);
    expect(report.agent?.protocol).toBe(2);
    expect(statusOf(report)).toMatchObject({
      "session/new": "ok",
      "session/resume with history": "ok",
      "session/delete": "ok",
    });
    expect(code).toBe(0);
  });

  test("sends a prompt if there is one, and none otherwise", async () => {
    const { agent, command } = await flawed();
    const silent = await diagnose(command);
    expect(agent.received.map(({ method }) => method)).not.toContain("session/prompt");
    expect(statusOf(silent.report)).toEqual({ "session/new": "ok" });
    const { code, report } = await diagnose(command, ["--prompt", "hi"]);
    expect(report.checks.find(({ name }) => name === "session/prompt")).toMatchObject({
      status: "ok",
      detail: "ended with end_turn",
    });
    expect(code).toBe(0);
  });

  test("calls nothing that is not advertised", async () => {
    const { agent, command } = await flawed();
    const { code } = await diagnose(command);
    expect(new Set(agent.received.map(({ method }) => method))).toEqual(new Set(["initialize", "session/new"]));
    expect(code).toBe(0);
  });

  test("sets each option and mode to the value that it has", async () => {
    const modes = {
      currentModeId: "a",
      availableModes: [
        { id: "a", name: "A" },
        { id: "b", name: "B" },
      ],
    };
    const { command } = await flawed({
      session: { modes },
      answers: {
        "session/set_mode": (params) => (at(params, "modeId") === "a" ? {} : [fail("another mode", -32602)]),
      },
    });
    const { report, code } = await diagnose(command);
    expect(statusOf(report)).toEqual({ "session/new": "ok", "session/set_mode a": "ok" });
    expect(code).toBe(0);
  });
});

const loads: FakeAgentOptions = { capabilities: { loadSession: true } };

describe("acp doctor reports an agent's mistakes", () => {
  test.each([
    [
      "that needs a login",
      9,
      {
        initialize: { authMethods: [{ id: "key", name: "API key", description: "Set MY_KEY" }] },
        answers: { "session/new": [fail("Authentication required", -32000)] },
      },
      ["It needs a login", "--login key   API key  Set MY_KEY"],
    ],
    ["whose session/new fails", 1, { answers: { "session/new": [fail("No model")] } }, ["No model"]],
    [
      "that loads sessions and cannot",
      1,
      { ...loads, answers: { "session/load": [fail("Disk is full")] } },
      ["session/load is advertised and does not work: ", "Disk is full", "Report it to the agent's authors"],
    ],
    [
      "that dies in the middle",
      6,
      { ...loads, answers: { "session/load": [crash({ code: 3 })] } },
      ["exited with code 3"],
    ],
    [
      "that does not answer in the middle",
      1,
      { ...loads, answers: { "session/load": [hang()] } },
      ["did not answer session/load within 3 seconds"],
    ],
    [
      "that never answers",
      8,
      { answers: { initialize: [hang()] } },
      ["did not answer initialize", "Give it longer with --timeout"],
    ],
    ["that answers with an error", 1, { answers: { initialize: [fail("broken")] } }, ["broken"]],
    [
      "that knows no initialize",
      7,
      { answers: { initialize: [fail("Method not found", -32601)] } },
      ["this program speaks another protocol"],
    ],
    ["of another version", 7, { answers: { initialize: [reply({ protocolVersion: 99 })] } }, ["99"]],
    [
      "that speaks of other things on stdout",
      0,
      { answers: { initialize: [raw("Welcome to my agent\n")] } },
      ["It writes to its stdout what is no message: Welcome to my agent", "Its logs belong on stderr"],
    ],
    [
      "that only writes other things",
      7,
      { answers: { initialize: [raw("usage: agent <file>\n"), hang()] } },
      ["usage: agent <file>"],
    ],
  ] as const)("%s", async (_name, exitCode, flaws: FakeAgentOptions, words) => {
    const { words: agent } = await flawed(flaws);
    const timeout = JSON.stringify(flaws).includes('"hang"') ? "3" : "60";
    const { code, stdout, stderr } = await run([clientProgram, "doctor", "--timeout", timeout, ...agent]);
    expect(stderr).toBe("");
    for (const word of words) expect(stdout).toContain(word);
    expect(stdout).toContain("What is wrong\n");
    expect(code).toBe(exitCode);
  });

  test("that exits at once", async () => {
    const exits = ["-e", 'console.error("no key is set"); process.exit(2);'];
    const { code, stdout, stderr } = await run([clientProgram, "doctor", "--", process.execPath, ...exits]);
    expect(stderr).toBe("");
    for (const word of ["exited with code 2", "no key is set", "What is wrong\n"]) expect(stdout).toContain(word);
    expect(code).toBe(6);
  });

  test("that is not there", async () => {
    using directory = temporaryDirectory();
    const page = join(directory.path, "messages.html");
    const { code, stdout } = await run([clientProgram, "doctor", "--html", page, "--", "no-such-agent"]);
    expect(stdout).toContain("There is no program 'no-such-agent' on PATH");
    expect(code).toBe(6);
    expect(existsSync(page), "no page without a message").toBe(false);
  });

  test("that may not be executed", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "agent");
    writeFileSync(file, "#!/bin/sh\n", { mode: 0o644 });
    const { code, stdout } = await run([clientProgram, "doctor", "--", file]);
    expect(stdout).toContain("Make it executable (chmod +x)");
    expect(code).toBe(6);
  });

  test("that speaks another framing", async () => {
    const { code, stdout } = await run([
      clientProgram,
      "doctor",
      "--timeout",
      "2",
      "--",
      ...reference,
      "--framing",
      "content-length",
    ]);
    expect(stdout).toContain("The agent speaks content-length framing");
    expect(stdout).toContain("Start it with --framing content-length");
    expect(code).toBe(8);
  });

  test("that keeps no session without a prompt, without counting that as a mistake", async () => {
    const { command } = await flawed({ ...loads, answers: { "session/load": [fail("Session not found", -32002)] } });
    const { code, report } = await diagnose(command);
    expect(statusOf(report)).toEqual({ "session/new": "ok", "session/load": "unclear" });
    expect(report.problems).toEqual([]);
    expect(code).toBe(0);
  });

  test("that advertises methods that it does not know, each reported once", async () => {
    const capabilities = { loadSession: true, sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} } };
    const methods = ["session/load", "session/resume", "session/list", "session/close", "session/delete"];
    const option = { type: "boolean", name: "One", currentValue: true };
    const configOptions = ["a", "b"].map((id) => ({ ...option, id }));
    const unknown = [...methods, "session/set_config_option"].map(
      (method) => [method, [fail(`Method not found: ${method}`, -32601)]] as const,
    );
    const answers = Object.fromEntries(unknown);
    const { command } = await flawed({ capabilities, session: { configOptions }, answers });
    for (const more of [[], ["--prompt", "hi"]]) {
      const { code, report } = await diagnose(command, more);
      const failed = report.checks.filter(({ status }) => status !== "ok");
      expect(failed.map(({ name, status }) => `${name} ${status}`).toSorted()).toEqual(
        [...methods, "session/set_config_option a"].map((name) => `${name} failed`).toSorted(),
      );
      expect(report.problems).toHaveLength(failed.length);
      expect(code).toBe(1);
    }
  });

  test("that has no sessions before a prompt, in the words of Gemini", async () => {
    const { command } = await flawed({
      ...loads,
      answers: { "session/load": [fail("No previous sessions found for this project.")] },
    });
    const { code, report } = await diagnose(command);
    expect(statusOf(report)).toEqual({ "session/new": "ok", "session/load": "unclear" });
    expect({ code, problems: report.problems }).toEqual({ code: 0, problems: [] });
  });

  test.each([
    ["loads it in another process only", true, "ok"],
    ["loads it nowhere", false, "failed"],
  ])("with a prompt, a new process is tried before an agent is accused: one that %s", async (_, isLoaded, status) => {
    const asking = new Set<unknown>();
    const { agent, command } = await flawed({
      ...loads,
      answers: {
        // The process that had the session knows nothing of it.
        "session/load": () => {
          asking.add(agent.connections.at(-1));
          return isLoaded && asking.size > 1 ? {} : [fail("No previous sessions found for this project.")];
        },
      },
    });
    const { code, report } = await diagnose(command, ["--prompt", "hi"]);
    expect(statusOf(report)["session/load"]).toBe(status);
    expect(report.problems).toHaveLength(status === "ok" ? 0 : 1);
    expect(code).toBe(status === "ok" ? 0 : 1);
  });

  test("that does not understand the offer of version 2", async () => {
    const { command } = await flawed({
      answers: { initialize: (params) => (at(params, "protocolVersion") === 1 ? {} : [fail("too new")]) },
    });
    const { code, report } = await diagnose(command);
    expect(report.problems).toMatchObject([
      { level: "warning", message: expect.stringContaining("version 2 is offered") },
    ]);
    expect(code).toBe(0);
  });
});

describe("acp doctor", () => {
  test("shows the end of stderr without keys and without control characters", async () => {
    const key = `sk-ant-api03-${"a1B2".repeat(22)}`;
    const printing = `printf 'key: ${key}\\n\\033[2Jcleared\\n' >&2; exec "$0" "$@"`;
    const agent = ["/bin/sh", "-c", printing, ...(await flawed()).command];
    const { report } = await diagnose(agent);
    expect(report.stderr).toHaveLength(2);
    expect(report.stderr[0]).not.toContain(key);
    expect(report.stderr[1]).toBe("cleared");
    const { report: open } = await diagnose(agent, ["--with-secrets"]);
    expect(open.stderr[0]).toContain(key);
  });

  test("keeps the agent's own texts away from the terminal", async () => {
    const info = { name: "\u001B[2Jevil\u202E", version: "1\n✓ All is well" };
    const { words } = await flawed({ initialize: { agentInfo: info } });
    const { stdout } = await run([clientProgram, "doctor", ...words]);
    expect(stdout).not.toContain("\u001B");
    expect(stdout).not.toContain("\u202E");
    expect(stdout.match(/^✓ All is well/gmu)).toHaveLength(1);
  });

  test("keeps it from the terminal as JSON, too, and escapes it without loss", async () => {
    const name = "a\u009B31m\u202Eb\u200B\u2800c";
    const { command } = await flawed({ initialize: { agentInfo: { name, version: "1" } } });
    const { stdout, report } = await diagnose(command);
    // oxlint-disable-next-line no-control-regex -- nothing in it acts on a terminal
    expect(stdout).not.toMatch(/[\u007F-\u009F\u200B\u202E\u2800]/u);
    expect(report.agent?.name).toBe(name);
  });

  test("shows its progress on a terminal, and erases it at the end", async () => {
    using directory = temporaryDirectory();
    const args = [clientProgram, "doctor", "--", ...reference];
    using terminal = new TerminalScreen(args, { cwd: directory.path, rows: 50, columns: 100 });
    expect(await terminal.ended).toBe(0);
    await terminal.shows(/All is well/u);
    expect(terminal.raw).toContain("session/load …");
    expect(terminal.screen).toMatch(/^Found {5}by its command$/mu);
    expect(terminal.screen).not.toContain("…");
  });

  test("ends the agent when it is interrupted", async () => {
    const { agent, process: played, words } = await flawed({ answers: { "session/new": [hang()] } });
    const doctor = new Program([clientProgram, "doctor", ...words]);
    await agent.next("session/new");
    doctor.child.kill("SIGINT");
    expect(await doctor.ended).toMatchObject({ code: 130 });
    expect(played.processes.map(({ pid }) => pid).filter(isAlive)).toEqual([]);
  });

  test.each([
    [["--timeout", "soon", "--", "agent"], "--timeout needs a number of seconds"],
    [["one", "two"], "'two'"],
    [["one", "--", "two"], "More than one agent"],
    [["--"], "The agent's command is missing"],
  ])("%j is refused with exit code 2", async (args, reason) => {
    const { code, stderr } = await run([clientProgram, "doctor", ...args]);
    expect(stderr).toContain(reason);
    expect(code).toBe(2);
  });
});
