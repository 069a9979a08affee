// `acp exec` with real agents: what it prints in each format, where the prompt comes from, and what the agent may do.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";

import { plan, update } from "@acp/testing";
import { describe, expect, test } from "vitest";

import { type Event, eventsOf, ofType } from "../support/exec-events.ts";
import {
  agentProgram,
  clientProgram,
  foreignAgent,
  Program,
  referenceAgent,
  run,
  sampleProject,
  temporaryDirectory,
  waitFor,
} from "../support/main-job-programs.ts";
import { Terminal } from "../support/terminal/terminal.ts";
import { commandOn } from "../support/runtimes.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { scripted } from "../support/scripted.ts";

const exec = (...args: readonly string[]): readonly string[] => [clientProgram, "exec", ...args];

describe("acp exec", () => {
  test("prints the answer to stdout, and the agent's actions to stderr", async () => {
    using project = sampleProject();
    const permissions = ["--policy", "edit", "--allow-command", "node test.js"];
    const args = exec("--cwd", project.path, ...permissions, "fix the failing test", ...referenceAgent);
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^I'll run the project's tests first[^]*\n\nFixed: I changed line 4 of src\/total\.js.*\n$/u,
    );
    expect(stdout).not.toMatch(/[●✓✗]|thinking/u);
    for (const text of [
      "● node test.js  execute\n",
      "  ✗ failed  exit code 1\n",
      "(thinking) The first failure",
      "Plan 5/5",
    ])
      expect(stderr).toContain(text);
    expect(stderr).toContain("? The agent asks for permission: edit\n");
    expect(stderr).toContain("    → Allow once: Allow  (--policy edit, --allow-command)\n");
    expect(readFileSync(join(project.path, "src", "total.js"), "utf8")).toContain("index = 0");
  });

  test("prints only the last message with --format quiet", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(
      directory.path,
      `say("I look. "); say("Now.");
      update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look", status: "completed" });
      say("\\nThe answer\\n"); say("is 42."); end("end_turn");`,
    );
    const quiet = await run(exec("--format", "quiet", "x", ...agent));
    expect(quiet).toEqual({ code: 0, stdout: "The answer\nis 42.\n", stderr: "" });
    const text = await run(exec("x", ...agent));
    expect(text).toEqual({
      code: 0,
      stdout: "I look. Now.\n\nThe answer\nis 42.\n",
      stderr: "● Look  other\n  ✓ completed\n",
    });
  });

  test("repeats the heading of a call that ends after another one, or that has another title by then", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(
      directory.path,
      `const call = (toolCallId, more) => update({ sessionUpdate: "tool_call_update", toolCallId, ...more });
      for (const title of ["a", "b"]) update({ sessionUpdate: "tool_call", toolCallId: title, title, kind: "read" });
      call("a", { status: "completed" });
      call("b", { title: "c", locations: [{ path: ${JSON.stringify(directory.path)} + "/f", line: 3 }] });
      call("b", { status: "failed", rawOutput: { exitCode: 2 } }); end("end_turn");`,
    );
    const { stderr } = await run(exec("--cwd", directory.path, "x", ...agent));
    const lines = ["● a  read", "● b  read", "● a  read", "  ✓ completed", "● c  read  f:3", "  ✗ failed  exit code 2"];
    expect(stderr).toBe(`${lines.join("\n")}\n`);
    const plain = await run([clientProgram, "--plain", "--cwd", directory.path, "--prompt", "x", ...agent]);
    for (const line of lines.filter((one) => one !== "● c  read  f:3")) expect(plain.stdout).toContain(`${line}\n`);
  });

  test("starts a new line for the agent's actions if stdout and stderr are one pipe or file", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(
      directory.path,
      `say("I look first.");
      update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look", status: "completed" });
      say("It is 42."); end("end_turn");`,
    );
    const command = [process.execPath, ...exec("x", ...agent)];
    const shown = "I look first.\n● Look  other\n  ✓ completed\n\nIt is 42.\n";
    const piped = spawnSync("/bin/sh", ["-c", '"$@" 2>&1', "sh", ...command], { encoding: "utf8", input: "" });
    expect(piped.stdout).toBe(shown);
    const file = join(directory.path, "all.txt");
    spawnSync("/bin/sh", ["-c", '"$@" >"$0" 2>&1', file, ...command], { input: "" });
    expect(readFileSync(file, "utf8")).toBe(shown);
  });

  test("leaves nothing in the answer that a terminal would obey, and no secret on stderr", async () => {
    using directory = temporaryDirectory();
    const agent = foreignAgent(
      directory.path,
      String.raw`const key = "sk-ant-api03-" + "a1B2".repeat(20);
      update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a\u001b[2Jb\u0007\u202e\n" } });
      update({ sessionUpdate: "tool_call", toolCallId: "c", title: "curl -H 'x-api-key: " + key + "'\u001b[2J" });
      send({ id, error: { code: -32603, message: "No\u001b[2J", data: { reason: key } } });`,
    );
    for (const format of ["text", "quiet", "json"]) {
      const args = exec("--format", format, "x", ...agent);
      const { code, stderr } = await run(args);
      expect(code).toBe(1);
      expect(stderr).toContain("session/prompt: No");
      expect(stderr).not.toContain("a1B2a1B2");
      const terminal = new Terminal(directory.path, args, { TERM: "dumb" });
      expect(await terminal.ended).toBe(1);
      expect(terminal.raw).toContain("session/prompt: No");
      // oxlint-disable-next-line no-control-regex -- it matches control characters on purpose
      expect(terminal.raw).not.toMatch(/[\u001B\u0007\u202E]/u);
    }
  });

  test.each(["text", "quiet"])("writes the answer as it is to a file or a pipe (%s)", async (format) => {
    using directory = temporaryDirectory();
    const answer = "a\u200E b\f\u001B[1mc\u001B[0m\u0007\u202E\r\nא\u200F end";
    const agent = scriptedAgent(
      directory.path,
      `update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look\\u200E", status: "completed" });
      say(${JSON.stringify(answer)}); end("end_turn");`,
    );
    const args = exec("--format", format, "x", ...agent);
    const piped = await run(args);
    expect(piped).toMatchObject({ code: 0, stdout: `${answer}\n` });
    if (format === "text") expect(piped.stderr).toContain("● Look<U+200E>");
    const file = join(directory.path, "answer.md");
    spawnSync("/bin/sh", ["-c", '"$@" > "$0" 2> /dev/null', file, process.execPath, ...args], { input: "" });
    expect(readFileSync(file, "utf8")).toBe(`${answer}\n`);
    // The other stream is another place: only what goes to the terminal is protected.
    const shell = ["-c", '"$@" > "$0"', file, process.execPath, ...args];
    const terminal = new Terminal(directory.path, shell, { NO_COLOR: "1" }, "/bin/sh");
    expect(await terminal.ended).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(`${answer}\n`);
    expect(terminal.raw).not.toContain("\u200E");
  });

  test("takes the prompt from the argument, a file and stdin, in this order", async () => {
    using directory = temporaryDirectory();
    const agent = foreignAgent(
      directory.path,
      `update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: JSON.stringify(text) } });
      end("end_turn");`,
    );
    const file = join(directory.path, "prompt.md");
    writeFileSync(file, "from a file\n");
    const promptOf = async (input: string, ...args: readonly string[]): Promise<unknown> => {
      const { code, stdout, stderr } = await run(exec(...args, ...agent), input);
      expect([code, stderr]).toEqual([0, ""]);
      return JSON.parse(stdout);
    };
    expect(await promptOf("", "an argument")).toBe("an argument");
    expect(await promptOf("stdin\n", "-")).toBe("stdin");
    expect(await promptOf("stdin\nof two lines\n")).toBe("stdin\nof two lines");
    expect(await promptOf("stdin", "an argument")).toBe("an argument\n\nstdin");
    expect(await promptOf("stdin", "--file", file, "an argument")).toBe("an argument\n\nfrom a file\n\nstdin");
  });

  test("reports that it waits for stdin, and reads the text", async () => {
    using directory = temporaryDirectory();
    const agent = foreignAgent(directory.path, `end("end_turn");`);
    const program = new Program(exec("x", ...agent), null);
    let stderr = "";
    const waits = new Promise<void>((resolve) => {
      program.child.stderr?.on("data", (text: string) => {
        stderr += text;
        if (stderr.includes("Waiting for the end of stdin")) resolve();
      });
    });
    await waits;
    program.child.stdin?.end("more");
    expect((await program.ended).code).toBe(0);
  });

  test.each([undefined, "deno", "bun"] as const)(
    "continues without a stdin that is open and idle (%s)",
    async (runtime) => {
      using directory = temporaryDirectory();
      const agent = foreignAgent(
        directory.path,
        `update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }); end("end_turn");`,
      );
      const { command, args } = commandOn(runtime ?? "node24", clientProgram, ["exec", "the prompt", ...agent]);
      const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
      const [stdout, stderr, code] = await Promise.all([
        textOf(child.stdout),
        textOf(child.stderr),
        once(child, "exit"),
      ]);
      expect({ code: code[0], stdout }).toEqual({ code: 0, stdout: "the prompt\n" });
      expect(stderr).toContain(
        "Nothing comes from stdin: the prompt is sent without it. To wait longer, add the argument -",
      );
    },
  );

  test("warns that later text from stdin does not belong to the prompt", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(
      directory.path,
      `say(text); await until(${JSON.stringify(join(directory.path, "go on"))}); end("end_turn");`,
    );
    const program = new Program(exec("the prompt", ...agent), null);
    await waitFor(() => program.stdout, /the prompt/u);
    program.child.stdin?.write("late");
    await waitFor(() => program.stderr, /What came from stdin later is not a part of the prompt/u);
    writeFileSync(join(directory.path, "go on"), "");
    expect(await program.ended).toMatchObject({ code: 0, stdout: "the prompt\n" });
  });

  test("with the argument - waits for a slow stdin, and reads one that has started to its end", async () => {
    using directory = temporaryDirectory();
    const agent = foreignAgent(
      directory.path,
      `update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: JSON.stringify(text) } });
      end("end_turn");`,
    );
    const asked = new Program(exec("review", "-", ...agent), null);
    const begun = new Program(exec("review", ...agent), null);
    begun.child.stdin?.write("a slow ");
    // Longer than an idle stdin is waited for.
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    for (const { child } of [asked, begun]) child.stdin?.end("diff");
    expect(JSON.parse((await asked.ended).stdout)).toBe("review\n\ndiff");
    expect(JSON.parse((await begun.ended).stdout)).toBe("review\n\na slow diff");
  });

  test("sends files as the agent takes them", async () => {
    using directory = temporaryDirectory();
    const image = join(directory.path, "a.png");
    const notes = join(directory.path, "notes.txt");
    writeFileSync(image, Buffer.from([1, 2, 3]));
    writeFileSync(notes, "five words are in here");
    const agent = (capabilities: string): string[] => {
      const script = `import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
  if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: { promptCapabilities: ${capabilities} } } });
  if (method === "session/new") send({ id, result: { sessionId: "s" } });
  if (method !== "session/prompt") continue;
  const text = JSON.stringify(params.prompt.slice(1));
  send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
  send({ id, result: { stopReason: "end_turn" } });
}`;
      const file = join(directory.path, "taking-agent.mjs");
      writeFileSync(file, script);
      return ["--", process.execPath, file];
    };
    const args = ["--attach", image, "--attach", notes, "look"];
    const taken = await run(exec(...args, ...agent("{ image: true, embeddedContext: true }")));
    expect(JSON.parse(taken.stdout)).toMatchObject([
      { type: "image", mimeType: "image/png", data: "AQID" },
      { type: "resource", resource: { text: "five words are in here", uri: expect.stringMatching(/notes\.txt$/u) } },
    ]);
    const linked = await run(exec(...args, ...agent("{}")));
    expect(JSON.parse(linked.stdout)).toMatchObject([
      { type: "resource_link", name: "a.png", mimeType: "image/png", size: 3 },
      { type: "resource_link", name: "notes.txt" },
    ]);
  });

  test("selects the mode, and lists the modes if the name is unknown", async () => {
    using directory = temporaryDirectory();
    const options = ["--cwd", directory.path, "--policy", "all"];
    const asking = await run(exec(...options, "write a.txt: x", ...referenceAgent));
    expect([asking.code, asking.stderr]).toEqual([
      0,
      expect.stringContaining("    the agent says: Create a.txt\n    → Allow once: Allow  (--policy all)"),
    ]);
    const selected = await run(exec(...options, "--mode", "code", "write b.txt: x", ...referenceAgent));
    expect([selected.code, selected.stderr]).toEqual([0, expect.not.stringContaining("?")]);
    expect(readFileSync(join(directory.path, "b.txt"), "utf8")).toBe("x\n");
    const missing = await run(exec("--cwd", directory.path, "--mode", "fast", "x", ...referenceAgent));
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining("--mode: there is no fast. The agent has ask, code"),
    ]);
  });
});

describe("acp exec --policy", () => {
  const agent = (directory: string): string[] =>
    scriptedAgent(
      directory,
      `const options = [
        { optionId: "always", name: "Always", kind: "allow_always" },
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ];
      const ask = async (kind, path) => {
        const toolCall = { toolCallId: kind + path, title: kind + " " + path, kind, locations: [{ path }] };
        return (await request("session/request_permission", { toolCall, options }))?.outcome.optionId;
      };
      const cwd = ${JSON.stringify(directory)};
      const answers = [await ask("read", cwd + "/a"), await ask("edit", cwd + "/a"), await ask("edit", "/elsewhere"), await ask("execute", cwd)];
      const written = await request("fs/write_text_file", { path: cwd + "/unasked.txt", content: "x" });
      const read = await request("fs/read_text_file", { path: cwd + "/there.txt" });
      say(answers.join(" ") + " " + (written !== undefined) + " " + (read !== undefined)); end("end_turn");`,
    );

  test.each([
    [[], "no no no no false true", 12],
    [["--policy", "deny"], "no no no no false true", 12],
    [["--policy", "read"], "yes no no no false true", 12],
    [["--policy", "edit"], "yes yes no no true true", 12],
    [["--policy", "all"], "yes yes yes yes true true", 0],
    [["--policy", "yes"], "always always always always true true", 0],
    [["--allow-edit", "/elsewhere"], "no no yes no false true", 12],
  ])("%j answers the requests, and decides about all others", async (options, answers, expected) => {
    using directory = temporaryDirectory();
    writeFileSync(join(directory.path, "there.txt"), "x");
    const cwd = ["--cwd", directory.path];
    const { code, stdout, stderr } = await run(exec(...cwd, ...options, "x", ...agent(directory.path)));
    expect([stdout, code]).toEqual([`${answers}\n`, expected]);
    if (expected === 12)
      expect(stderr).toMatch(/✗ Nobody was there to permit '.*\n {2}Allow what the agent may do with --policy/u);
  });

  test("is refused together with a rule that it makes useless", async () => {
    const { code, stderr } = await run(exec("--policy", "all", "--allow-read", ".", "x", "--", "agent"));
    expect([code, stderr]).toEqual([2, expect.stringContaining("--allow-read")]);
  });
});

describe("acp exec --format json", () => {
  test("reports everything that the reference agent does, in events of the schema", async () => {
    using project = sampleProject();
    const args = ["--format", "json", "--cwd", project.path, "--policy", "all", "fix the failing test"];
    const { code, stdout, stderr } = await run(exec(...args, ...referenceAgent));
    expect([code, stderr]).toEqual([0, ""]);
    const events = eventsOf(stdout);
    expect(events[0]).toMatchObject({
      type: "start",
      version: 1,
      cwd: project.path,
      command: [process.execPath, agentProgram, "--pace", "0"],
    });
    expect(events.slice(1, 3)).toMatchObject([
      { type: "agent", name: "reference-agent", protocol: 1 },
      { type: "session", opened: "new" },
    ]);
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set([
        "start",
        "agent",
        "session",
        "commands",
        "title",
        "prompt",
        "plan",
        "message",
        "thought",
        "tool_call",
        "tool_call_update",
        "terminal",
        "permission",
        "end",
      ]),
    );
    expect(ofType(events, "permission")).toMatchObject([
      { title: "Edit src/total.js", isAllowed: true, reason: "policy", answer: { kind: "allow_once" } },
    ]);
    const terminal = ofType(events, "terminal").map(({ text = "" }) => text);
    expect(terminal.join("")).toContain("1299 !== 2199");
    const diffs = events.flatMap(({ content }) => (Array.isArray(content) ? (content as { type: string }[]) : []));
    expect(diffs).toContainEqual(
      expect.objectContaining({
        type: "diff",
        lines: expect.arrayContaining([
          { kind: "added", text: "+  for (let index = 0; index < items.length; index++) {" },
        ]),
      }),
    );
    const end = events.at(-1);
    expect(end).toMatchObject({ stopReason: "end_turn", exitCode: 0, toolCalls: 7 });
    const said = ofType(events, "message")
      .map(({ text }) => text)
      .join("");
    expect(String(end?.["text"]).replaceAll(/\s/gu, "")).toBe(said.replaceAll(/\s/gu, ""));
  });

  test("gives the same events in both versions of the protocol", async () => {
    const call = { toolCallId: "c", title: "Look", kind: "read", status: "in_progress" };
    const read = { ...call, locations: [{ path: "/a" }], rawInput: { path: "/a" } };
    const content = [{ type: "content", content: { type: "text", text: "five words" } }];
    const done = { toolCallId: "c", status: "completed", content, rawOutput: { words: 2 } };
    const chunk = (kind: string, text: string) =>
      update({ sessionUpdate: `agent_${kind}_chunk`, messageId: kind, content: { type: "text", text } });
    const steps = (sessionUpdate: string, ...repeated: readonly object[]) => [
      plan([{ content: "Look", priority: "high" }]),
      chunk("thought", "Hm."),
      chunk("message", "I "),
      chunk("message", "look."),
      ...repeated.map((one) => update({ ...one })),
      update({ sessionUpdate, ...read }),
      update({ sessionUpdate: "usage_update", used: 1000, size: 2000, cost: { amount: 0.5, currency: "USD" } }),
      update({ sessionUpdate: "tool_call_update", ...done }),
      update({ sessionUpdate: "session_info_update", title: "About a" }),
    ];
    const whole = [{ type: "text", text: "I look." }];
    const repeat = { sessionUpdate: "agent_message", messageId: "message", content: whole };
    const { words: first } = await scripted(steps("tool_call"));
    const { words: second } = await scripted(steps("tool_call_update", repeat), { protocol: 2 });
    const eventsWith = async (protocol: string, agent: readonly string[]): Promise<readonly Event[]> => {
      const { code, stdout, stderr } = await run(exec("--format", "json", "--protocol", protocol, "x", ...agent));
      expect([code, stderr]).toEqual([0, ""]);
      return eventsOf(stdout);
    };
    const ones = await eventsWith("1", first);
    const twos = await eventsWith("2", second);
    expect(twos[1]).toEqual({ ...ones[1], protocol: 2 });
    const comparable = (events: readonly Event[]): readonly Event[] =>
      events.slice(2).map((event) => ({ ...event, ...(event.type === "end" ? { duration: 0 } : {}) }));
    expect(comparable(twos)).toEqual(comparable(ones));
    expect(ones.map(({ type }) => type)).toEqual([
      "start",
      "agent",
      "session",
      "prompt",
      "plan",
      "thought",
      "message",
      "message",
      "tool_call",
      "usage",
      "tool_call_update",
      "title",
      "end",
    ]);
    expect(ones.at(-1)).toMatchObject({ text: "I look.", usage: { used: 1000 }, toolCalls: 1 });
  });

  test("reports a failure as an event with advice, and ends the stream", async () => {
    const { code, stdout } = await run(exec("--format", "json", "x", "--", "no-such-agent"));
    const events = eventsOf(stdout);
    expect(events.slice(1)).toMatchObject([
      {
        type: "error",
        code: "not_started",
        message: "There is no program 'no-such-agent' on PATH",
        advice: expect.any(String),
        exitCode: 6,
      },
      { type: "end", stopReason: null, exitCode: 6 },
    ]);
    expect(code).toBe(6);
  });
});
