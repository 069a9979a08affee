// The reference programs in version 2: they look as in version 1.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { end, reply, update } from "@acp/testing";
import { describe, expect, test } from "vitest";

import { isAlive } from "../support/is-alive.ts";
import {
  clientProgram,
  demoProgram,
  type Ended,
  foreignAgent,
  Program,
  referenceAgent,
  run,
  sampleProject,
  temporaryDirectory,
  waitFor,
} from "../support/main-job-programs.ts";
import { scripted } from "../support/scripted.ts";
import { Terminal } from "../support/terminal/terminal.ts";

const inspectProgram = fileURLToPath(new URL("../../../packages/inspect/dist/main.js", import.meta.url));

/** What a run has printed, without what is never the same. */
function printed({ stdout }: Ended): string {
  return stdout
    .replace(/ · ACP [12] · /u, " · ")
    .replace(" --protocol 2 ", " ")
    .replaceAll(/\/\S*acp-(?:sample|main-job)-\w+/gu, "<directory>")
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/gu, "<id>")
    .replaceAll(/(?<=acp resume )\w+/gu, "<name>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, "<time>")
    .replaceAll(/\d+\.\d s$/gmu, "<seconds>");
}

describe("the reference programs in version 2", () => {
  test.each(["ndjson", "content-length"])("do the main job as in version 1 (%s)", async (framing) => {
    const [older, newer] = [
      await run([demoProgram, "--framing", framing]),
      await run([demoProgram, "--framing", framing, "--protocol", "2"]),
    ];
    expect([newer.code, newer.stderr]).toEqual([0, ""]);
    expect(newer.stdout).toContain("Reference agent 1.0.0 · ACP 2 · ");
    expect(newer.stdout).toContain("✓ the test passes: node test.js");
    expect(newer.stdout).toContain("Talk to it yourself: node apps/client/dist/main.js --protocol 2 -- ");
    expect(printed(newer)).toBe(printed(older));
  });

  // In version 1 the client reads, and lets a file that does not exist be empty. In version 2 the agent reads.
  test.each([
    ["1", /● Read missing\.txt {2}read[^]*missing\.txt has 0 lines/u],
    ["2", /● Read missing\.txt {2}read\n {2}│ File not found: .*\n {2}✗ failed\n\nI could not read missing\.txt/u],
  ])("reads a file that does not exist in version %s", async (protocol, shown) => {
    using directory = temporaryDirectory();
    const args = ["--protocol", protocol, "--cwd", directory.path, "--prompt", "read missing.txt", ...referenceAgent];
    expect((await run([clientProgram, ...args])).stdout).toMatch(shown);
  });

  test("go through all that a user does as in version 1, and acp-inspect finds nothing wrong", async () => {
    const lines = `write a.txt: one
9
1
/mode code
write a.txt: two
read a.txt
run node -e process.exitCode=3
run no-such-program
search one
tools
/sessions
/new
plan
/sessions
/load 2
/resume 1
what is love?
form
1
project
/cancel
3
/close
help
/delete 1
/delete nonsense
/sessions
/quit
`;
    const runs: Ended[] = [];
    for (const protocol of ["1", "2"]) {
      using directory = temporaryDirectory();
      using elsewhere = temporaryDirectory();
      const log = join(elsewhere.path, "log");
      const inspected = ["--", process.execPath, inspectProgram, "--log", log, ...referenceAgent];
      const args = ["--protocol", protocol, "-i", "--cwd", directory.path, ...inspected];
      // One after the other: both take the time of the machine.
      runs.push(await run([clientProgram, ...args], lines));
      expect(readFileSync(log, "utf8").trimEnd().split("\n").at(-1)).toBe("Nothing is wrong with the messages.");
      expect(readFileSync(join(directory.path, "a.txt"), "utf8")).toBe("two\n");
    }
    const [older, newer] = runs as [Ended, Ended];
    expect([newer.code, newer.stderr]).toEqual([0, older.stderr]);
    expect(printed(newer)).toBe(printed(older));
  });

  test("ask nobody without a terminal, and follow the options", async () => {
    using project = sampleProject();
    const fix = ["--protocol", "2", "--cwd", project.path, "--prompt", "fix", ...referenceAgent];
    const rejected = await run([clientProgram, ...fix]);
    expect(rejected.stdout).toContain("→ Reject once: Reject  (nobody to ask; --allow allows it)\n  ■ cancelled");
    const allowed = await run([clientProgram, "--yes", ...fix]);
    expect(allowed.stdout).toContain(
      "→ Always allow: Allow all edits in this session, except of protected files  (--yes)",
    );
    expect(allowed.stdout).toContain("Mode: Code");
    const moded = await run([clientProgram, "--mode", "code", ...fix]);
    expect(moded.code).toBe(0);
    expect(moded.stdout).not.toContain("Mode: Code");
    const unknown = await run([clientProgram, "--mode", "yolo", ...fix]);
    expect(unknown.stderr).toContain("--mode: there is no yolo. The agent has ask, code");
  });

  test("end with a SIGINT, and leave nothing running", async () => {
    using directory = temporaryDirectory();
    const pid = "import('node:fs').then((fs)=>fs.writeFileSync('pid',String(process.pid)));setInterval(String,1000)";
    const prompt = ["--protocol", "2", "--cwd", directory.path, "--prompt", `run node -e "${pid}"`];
    const program = new Program([clientProgram, ...prompt, ...referenceAgent]);
    const command = Number(await waitFor(() => readOrEmpty(join(directory.path, "pid")), /^\d+$/u));
    expect(isAlive(command)).toBe(true);
    program.child.kill("SIGINT");
    const { code, stdout } = await program.ended;
    expect(stdout).toContain("■ cancelled · 1 tool call");
    expect(code).toBe(130);
    expect(isAlive(command)).toBe(false);
  });

  test("log in in the terminal, reconnect, and take forms and prompts there", async () => {
    using directory = temporaryDirectory();
    const login = ["--require-login", join(directory.path, "login")];
    const args = [clientProgram, "--plain", "--protocol", "2", ...referenceAgent, ...login];
    const terminal = new Terminal(directory.path, args, { NO_COLOR: "1" });
    await terminal.sees(/Your choice \[1-2\], or nothing to give up: $/u);
    terminal.type("2\r");
    await terminal.sees(/Your name, or nothing to cancel: $/u);
    terminal.type("Ada\r");
    await terminal.sees(/Hello Ada\.\n/u);
    const opened = await terminal.sees(/> $/u);
    expect(opened).toMatch(/Commands: \/fix {2}/u);
    terminal.type("plan\r");
    const turn = await terminal.sees(/■ end_turn/u);
    // What was typed is not told once more.
    expect(turn.match(/plan/gu)).toHaveLength(1);
    await terminal.sees(/> $/u);
    terminal.type("/logout\r");
    await terminal.sees(/Logged out/u);
    await terminal.sees(/> $/u);
    terminal.type("plan\r");
    await terminal.sees(/Your choice \[1-2\], or nothing to give up: $/u);
    terminal.type("1\r");
    await terminal.sees(/■ end_turn/u);
    await terminal.sees(/> $/u);
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
  });
});

describe("acp-client --protocol 2", () => {
  test("continues in version 1 with an agent that knows no other, and reports it once", async () => {
    using directory = temporaryDirectory();
    const agent = foreignAgent(directory.path, "end('end_turn');");
    const { code, stdout, stderr } = await run([clientProgram, "--protocol", "2", "-i", ...agent], "one\ntwo\n");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("foreign 0.1 · ACP 1 · ");
    expect(stdout.match(/does not support version 2 of ACP\. The client uses version 1/gu)).toHaveLength(1);
    expect(stdout.match(/■ end_turn/gu)).toHaveLength(2);
  });

  test.each([
    ["end_turn", 0],
    ["refusal", 3],
    ["max_tokens", 4],
    ["max_turn_requests", 5],
    ["cancelled", 130],
    ["_tired", 1],
  ])("exits after %s with %i, with an agent that does not know the toolkit", async (stopReason, expected) => {
    const { words } = await scripted(({ text }) => [end(text)], { protocol: 2 });
    const args = [clientProgram, "--protocol", "2", "--prompt", stopReason, ...words];
    const { stdout, code } = await run(args);
    expect(stdout).toContain(`■ ${stopReason} · 0 tool calls`);
    expect(code).toBe(expected);
  });

  test("reports the failure, and exits with 1", async () => {
    const error = { code: -32603, message: "No model today", data: { correlationId: "a-1" } };
    const { words } = await scripted([end("error", { more: { error } })], { protocol: 2 });
    const { stdout, stderr, code } = await run([clientProgram, "--protocol", "2", "--prompt", "x", ...words]);
    expect(stdout).toContain("■ error · 0 tool calls");
    expect(stderr).toMatch(/✗ No model today\n.*--verbose.*\n {2}\{"correlationId":"a-1"\}/u);
    expect(code).toBe(1);
  });

  test("shows everything an agent can report", async () => {
    using directory = temporaryDirectory();
    const content = (text: string) => [{ type: "text", text }];
    const chunk = (messageId: string, text: string) =>
      update({ sessionUpdate: "agent_message_chunk", messageId, content: content(text)[0] });
    const call = (change: object) => update({ sessionUpdate: "tool_call_update", toolCallId: "a", ...change });
    const changes = [
      { operation: "move", oldPath: "/p/a.txt", path: "/p/b.txt" },
      { operation: "modify", path: "/p/c.bin", fileType: "binary" },
      { operation: "delete", path: "/p/d.txt" },
      { operation: "_odd", path: "/p/e.txt" },
    ];
    const patch = {
      format: "git_patch",
      text: "diff --git a//p/d.txt b//p/d.txt\ndeleted file mode 100644\n--- a//p/d.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n",
    };
    const entries = [{ content: "Given up", priority: "low", status: "cancelled" }];
    const output = { data: btoa("begun\nmore\nend\n") };
    const shown = [
      // The prompt may be told before it is answered.
      update({ sessionUpdate: "user_message", messageId: "m", content: content("show") }),
      reply({ messageId: "m" }),
      update({ sessionUpdate: "state_update", state: "running" }),
      chunk("1", "One"),
      update({ sessionUpdate: "agent_message", messageId: "1", content: content("One and a half") }),
      update({ sessionUpdate: "agent_message", messageId: "1", content: content("One and a half") }),
      update({ sessionUpdate: "agent_message", messageId: "1", content: content("Two") }),
      update({ sessionUpdate: "user_message", messageId: "other", content: content("From another client") }),
      update({ sessionUpdate: "notice", severity: "_odd", title: "Rate limit", description: "half used" }),
      update({ sessionUpdate: "usage_update", used: 12000, size: 200000, cost: { amount: 0.42, currency: "USD" } }),
      update({ sessionUpdate: "_unknown", of: "ours" }),
      call({ title: "Do\u001b[2J it", kind: "_odd", status: "_later" }),
      ...["first", "second"].map((line) =>
        update({
          sessionUpdate: "tool_call_content_chunk",
          toolCallId: "a",
          content: { type: "content", content: content(line)[0] },
        }),
      ),
      update({ sessionUpdate: "terminal_update", terminalId: "t", command: "make", output: { data: btoa("begun\n") } }),
      call({ content: [{ type: "terminal", terminalId: "t" }, { type: "_odd" }] }),
      update({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: btoa("more\n") }),
      update({ sessionUpdate: "terminal_update", terminalId: "t", output, exitStatus: { exitCode: 2 } }),
      call({ status: "failed" }),
      call({ toolCallId: "b", content: [{ type: "diff", changes, patch }], status: "completed" }),
      update({ sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries } }),
    ];
    const { words: agent } = await scripted([], { protocol: 2, answers: { "session/prompt": shown } });
    const args = ["--protocol", "2", "--cwd", directory.path, "--prompt", "show", ...agent];
    const { stdout, stderr } = await run([clientProgram, ...args]);
    expect(stderr).toBe("");
    expect(stdout.slice(stdout.indexOf("> show")).replace(/\d\.\d s/u, "<seconds>")).toBe(
      `> show

One and a half

Two

> From another client

! Rate limit  half used

● Do<U+001B>[2J it  _odd
  │ first
  │ $ make
  │ begun
  │ second
  │ more
  │ end
  │ [content of an unknown kind]
  ✗ failed  exit code 2

● b  other
  │ /p/b.txt
  │   moved from /p/a.txt
  │ /p/c.bin
  │   changed
  │ /p/d.txt
  │   deleted file mode 100644
  │ 1 -gone
  │ a change of an unknown kind
  │   {"operation":"_odd","path":"/p/e.txt"}
  ✓ completed

Plan
  ✗ Given up

■ end_turn · 2 tool calls · <seconds> · 12,000 of 200,000 tokens (6 %) · 0.42 USD
`,
    );
  });
});

describe("acp-client", () => {
  test("reports how to talk with an agent that knows version 2 alone", async () => {
    using directory = temporaryDirectory();
    const only = `process.stdin.once("data", (line) => {
      const error = { code: -32022, message: "Unsupported protocol version", data: { requested: 1, supported: [2] } };
      console.log(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(line).id, error }));
    })`;
    const args = ["--cwd", directory.path, "--prompt", "x", "--", process.execPath, "-e", only];
    const { code, stderr } = await run([clientProgram, ...args]);
    expect(code).toBe(7);
    expect(stderr).toContain("Unsupported protocol version (-32022)");
    expect(stderr).toContain("Run again with --protocol to use another version");
  });
});

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
