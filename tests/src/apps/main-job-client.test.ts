import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { isAlive } from "../support/is-alive.ts";
import {
  clientProgram,
  demoProgram,
  foreignAgent,
  Program,
  referenceAgent,
  run,
  sampleProject,
  temporaryDirectory,
  waitFor,
} from "../support/main-job-programs.ts";

const mended = join("src", "total.js");

describe("the main job", () => {
  test.each(["ndjson", "content-length"])("exits with 0, and the edit is on disk (%s)", async (framing) => {
    const { code, stdout, stderr } = await run([demoProgram, "--framing", framing]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const essentials = [
      `in ${framing} framing`,
      "> Fix the failing test",
      "Plan\n  · Run the tests",
      "Plan 0/5  ▸ Run the tests",
      "● Read package.json  read",
      "✗ failed  exit code 1",
      "(thinking) The first failure is at test.js:9",
      "-  for (let index = 1;",
      "+  for (let index = 0;",
      "→ Allow once: Allow  (--allow)",
      "✓ completed  exit code 0",
      "Plan 5/5  ✓ all done",
      "■ end_turn · 7 tool calls",
      "changed  src/total.js:4  for (let index = 0;",
      "✓ the test passes: node test.js",
    ];
    for (const text of essentials) expect(stdout).toContain(text);
  });

  test("tells both sides of a framing that is written with an equals sign", async () => {
    const { code, stdout, stderr } = await run([demoProgram, "--framing=content-length"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("in content-length framing");
  });

  test("leaves no copy of the sample project behind", async () => {
    const { stdout } = await run([demoProgram]);
    const directory = /· ACP 1 · (\S+)/u.exec(stdout)?.[1] ?? "";
    expect(directory).not.toBe("");
    expect(() => readFileSync(join(directory, "package.json"))).toThrow("ENOENT");
  });

  test("exits with 1 when the file on disk is not mended", async () => {
    const { code, stdout } = await run([demoProgram, "--prompt", "plan"]);
    expect(stdout).toContain("nothing was changed");
    expect(code).toBe(1);
  });
});

describe("acp-client", () => {
  test("--help explains the options and exits with 0", async () => {
    const { code, stdout } = await run([clientProgram, "--help"]);
    expect(stdout).toContain("--framing <name>");
    expect(code).toBe(0);
  });

  test.each([
    [["--prompt", "x"], "Write it after --"],
    [["--nonsense"], "--nonsense"],
    [["stray", "--", "agent"], "'stray'"],
    [["--framing", "xml", "--", "agent"], "'xml'"],
    [["--protocol", "3", "--", "agent"], "'3'"],
    [["-i", "-p", "x", "--", "agent"], "cannot be combined"],
    [["--", "agent"], "no prompt"],
    [["some-agent", "stray"], "'stray'"],
    [["--agent", "some-agent", "--", "agent"], "cannot be combined"],
    [["--cwd", "no/such/place", "-p", "x", "--", "agent"], "no/such/place"],
    [["--cwd", clientProgram, "-p", "x", "--", "agent"], "--cwd is not a directory"],
  ])("%j is refused with exit code 2", async (args, reason) => {
    const { code, stderr } = await run([clientProgram, ...args]);
    expect(stderr).toContain(reason);
    expect(code).toBe(2);
  });

  test("PERM-06: without a terminal permission is rejected, unless --allow or --yes is given", async () => {
    using project = sampleProject();
    const fix = ["--cwd", project.path, "--prompt", "fix", ...referenceAgent];
    const before = readFileSync(join(project.path, mended), "utf8");
    const rejected = await run([clientProgram, ...fix]);
    expect(rejected.stdout).toContain("→ Reject once: Reject  (nobody to ask; --allow allows it)");
    expect(rejected.stdout).toContain("✗ failed");
    expect(rejected.stderr).toMatch(
      /^✗ Nobody was there to permit '.*'\n {2}Allow what the agent may do with --policy/u,
    );
    expect(rejected.code).toBe(12);
    expect(readFileSync(join(project.path, mended), "utf8")).toBe(before);
    const allowed = await run([clientProgram, "--yes", ...fix]);
    expect(allowed.stdout).toContain(
      "→ Always allow: Allow all edits in this session, except of protected files  (--yes)",
    );
    expect(readFileSync(join(project.path, mended), "utf8")).not.toBe(before);
  });

  test("takes the prompt from stdin", async () => {
    using directory = temporaryDirectory();
    const { stdout, code } = await run(
      [clientProgram, "--cwd", directory.path, ...referenceAgent],
      "run echo from stdin\n",
    );
    expect(stdout).toContain("> run echo from stdin");
    expect(stdout).toContain("│ from stdin");
    expect(code).toBe(0);
  });

  test("--interactive takes one prompt after another, and answers to questions, from stdin", async () => {
    using directory = temporaryDirectory();
    const input = "write a.txt: one\n9\n1\n/mode code\nwrite a.txt: two\n/quit\nread a.txt\n";
    const { stdout, code } = await run([clientProgram, "-i", "--cwd", directory.path, ...referenceAgent], input);
    // The agent has a /help, too: what that of the client would list is told at once.
    expect(stdout).toMatch(
      /^Commands: \/fix {2}\/test {2}.*\/help {2}\/options {2}\/sessions {2}\/new .*\/restart {2}\/quit$/mu,
    );
    expect(stdout).toContain("a.txt (new file)");
    expect(stdout.match(/Your choice \[1-3\]: (?:9|1)\n/gu)).toHaveLength(2);
    expect(stdout).toContain("Mode: Code");
    expect(stdout).not.toContain("> read a.txt");
    expect(readFileSync(join(directory.path, "a.txt"), "utf8")).toBe("two\n");
    expect(code).toBe(0);
  });

  test.each([
    ["end_turn", 0],
    ["refusal", 3],
    ["max_tokens", 4],
    ["max_turn_requests", 5],
    ["cancelled", 130],
  ])("exits after %s with %i, with an agent that does not know the toolkit", async (stopReason, expected) => {
    using directory = temporaryDirectory();
    const agent = foreignAgent(directory.path, "end(text);");
    const { stdout, code } = await run([clientProgram, "--prompt", stopReason, ...agent]);
    expect(stdout).toContain(`■ ${stopReason} · 0 tool calls`);
    expect(code).toBe(expected);
  });

  test("shows everything an agent can report", async () => {
    using directory = temporaryDirectory();
    const agent = foreignAgent(
      directory.path,
      `update({ sessionUpdate: "usage_update", used: 12000, size: 200000, cost: { amount: 0.42, currency: "USD" } });
  update({ sessionUpdate: "notice", severity: "warning", title: "Rate limit", description: "half used" });
  update({ sessionUpdate: "_unknown", of: "ours" });
  update({ sessionUpdate: "tool_call", toolCallId: "a", title: "First", kind: "fetch", status: "in_progress" });
  update({ sessionUpdate: "tool_call", toolCallId: "b", title: "Second", status: "completed", locations: [{ path: "/etc/hosts", line: 3 }] });
  update({ sessionUpdate: "tool_call_update", toolCallId: "a", title: "First, renamed", content: [{ type: "content", content: { type: "text", text: "no" } }] });
  update({ sessionUpdate: "tool_call_update", toolCallId: "a", content: [{ type: "content", content: { type: "text", text: "no route\\n" } }] });
  update({ sessionUpdate: "tool_call_update", toolCallId: "a", title: "renamed again" });
  update({ sessionUpdate: "tool_call_update", toolCallId: "a", status: "failed" });
  update({ sessionUpdate: "agent_message_chunk", messageId: "1", content: { type: "text", text: "One" } });
  update({ sessionUpdate: "agent_message_chunk", messageId: "2", content: { type: "image", mimeType: "image/png", data: "" } });
  end("end_turn");`,
    );
    const { stdout } = await run([clientProgram, "--prompt", "show", ...agent]);
    expect(stdout).toContain("! Rate limit  half used");
    expect(stdout).toContain(
      "● Second  other  /etc/hosts:3\n  ✓ completed\n\n● First, renamed  fetch\n  │ no route\n  │ renamed again\n  ✗ failed\n",
    );
    expect(stdout).toContain("\n\nOne\n\n[image: image/png]\n\n");
    expect(stdout).toContain("2 tool calls · ");
    expect(stdout).toContain("12,000 of 200,000 tokens (6 %) · 0.42 USD");
  });

  test("keeps escape sequences of the agent from the terminal", async () => {
    using directory = temporaryDirectory();
    const body = String.raw`
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a\u001b[2J\u001b]0;title\u0007b\rc\u202E" } });
  update({ sessionUpdate: "tool_call", toolCallId: "a\u001b[1m", title: "do\u001b[8m\nit", status: "completed" });
  end("end_turn");`;
    const { stdout } = await run([clientProgram, "--prompt", "x", ...foreignAgent(directory.path, body)]);
    expect(stdout).toContain("ab\nc\n");
    // A title has to be judged: nothing is taken away from it.
    expect(stdout).toContain("● do<U+001B>[8m<U+000A>it");
    expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  test("reports how an agent ended that did not answer, with its stderr", async () => {
    const script = "process.stderr.write('no such model\\n'); process.exit(3)";
    const { code, stderr } = await run([clientProgram, "--prompt", "x", "--", process.execPath, "-e", script]);
    expect(stderr).toContain("exited with code 3");
    expect(stderr).toContain("no such model");
    expect(code).toBe(6);
  });

  test("reports that an agent cannot be started", async () => {
    const { code, stderr } = await run([clientProgram, "--prompt", "x", "--", "no-such-agent"]);
    expect(stderr).toContain("no-such-agent");
    expect(code).toBe(6);
  });

  test("reports how an agent ended in mid-turn", async () => {
    using directory = temporaryDirectory();
    const agent = foreignAgent(
      directory.path,
      "process.stderr.write('out of memory\\n'); process.kill(process.pid, 'SIGKILL');",
    );
    const { code, stdout, stderr } = await run([clientProgram, "--prompt", "x", ...agent]);
    expect(stdout).toContain("> x");
    expect(stderr).toContain("SIGKILL");
    expect(stderr).toContain("out of memory");
    expect(code).toBe(6);
  });

  test("--verbose prints diagnostics and the agent's stderr; --trace writes every message", async () => {
    using directory = temporaryDirectory();
    const trace = join(directory.path, "trace.jsonl");
    const agent = foreignAgent(
      directory.path,
      "console.error('thinking hard'); console.log('not JSON'); end('end_turn');",
    );
    const { stderr } = await run([clientProgram, "--verbose", "--trace", trace, "--prompt", "x", ...agent]);
    expect(stderr).toContain("[agent] thinking hard");
    expect(stderr).toContain("[warning] noise");
    const lines = readFileSync(trace, "utf8").trimEnd().split("\n");
    const messages = lines.map((line): { direction: string; message: { method?: string } } => JSON.parse(line));
    expect(messages.map(({ direction, message }) => `${direction} ${message.method ?? "answer"}`)).toEqual([
      "sent initialize",
      "received answer",
      "sent session/new",
      "received answer",
      "sent session/prompt",
      "received answer",
      "received answer",
    ]);
  });

  test("CANC-01: SIGINT cancels the turn, and the client ends with 130 and leaves nothing running", async () => {
    using directory = temporaryDirectory();
    const pid = "import('node:fs').then((fs)=>fs.writeFileSync('pid',String(process.pid)));setInterval(String,1000)";
    const agent = [clientProgram, "--cwd", directory.path, "--prompt", `run node -e "${pid}"`, ...referenceAgent];
    const program = new Program(agent);
    const command = Number(await waitFor(() => readOrEmpty(join(directory.path, "pid")), /^\d+$/u));
    expect(isAlive(command)).toBe(true);
    program.child.kill("SIGINT");
    const { code, stdout } = await program.ended;
    expect(stdout).toContain("■ cancelled · 1 tool call");
    expect(code).toBe(130);
    expect(isAlive(command)).toBe(false);
  });
});

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
