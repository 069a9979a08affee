import { describe, expect, test } from "vitest";

import { clientProgram, run, temporaryDirectory } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { control, Terminal } from "../support/terminal/terminal.ts";

/** The client with an agent that does `body` in each turn, when it has been prompted. */
function prompted(directory: string, body: string): Terminal {
  const args = [clientProgram, "--prompt", "go", ...scriptedAgent(directory, body)];
  return new Terminal(directory, args, { NO_COLOR: "1" });
}

/** The client in a turn that asks for a form with these fields, when it asks for the first of them. */
async function form(directory: string, properties: object, required: readonly string[] = []): Promise<Terminal> {
  const requestedSchema = { type: "object", properties, required };
  const params = JSON.stringify({ mode: "form", message: "Please", requestedSchema });
  const terminal = prompted(
    directory,
    `say("Sent: " + JSON.stringify((await request("elicitation/create", ${params})).content)); end("end_turn");`,
  );
  await terminal.sees(/1 Fill it in\n +2 Decline\n +Your choice \[1-2\], or nothing to give up: $/u);
  terminal.type("maybe\r");
  await terminal.sees(/Please type a number from 1 to 2, or nothing\n/u);
  await terminal.sees(/give up: $/u);
  terminal.type("fill\r");
  return terminal;
}

const options = `[{ optionId: "yes", name: "Yes", kind: "allow_once" }, { optionId: "no", name: "No", kind: "reject_once" }]`;

const asking = (offered: string): string => `
  say("Chosen: " + (await permission("Read   a.txt", ${offered})));
  end("end_turn");`;

describe("questions of permission", () => {
  test("show the kind of each option, and an option's name cannot imitate other options or be empty", async () => {
    using directory = temporaryDirectory();
    const forged = `[{ optionId: "x", name: "Reject   3 More\\n  4 information", kind: "allow_always" }, { optionId: "y", name: " ", kind: "reject_once" }]`;
    const terminal = prompted(directory.path, asking(forged));
    const asked = await terminal.sees(/Your choice \[1-2\]: $/u);
    expect(asked).toContain(
      `\n    the agent says: Read   a.txt\n    1 Always allow   Reject 3 More 4 information\n    2 Reject once\n`,
    );
    terminal.type("2\r");
    await terminal.sees(/→ Reject once\n/u);
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw).toContain("Chosen: y");
  });

  test("without options are not asked", async () => {
    using directory = temporaryDirectory();
    const terminal = prompted(directory.path, asking("[]"));
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen).toContain("→ no answer  (no option fits)");
    expect(terminal.raw).not.toContain("Your choice");
  });

  test("that are open at the end of the input are rejected, without a warning that nobody was there", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(directory.path, asking(options));
    const { stdout } = await run([clientProgram, "-i", "--cwd", directory.path, ...agent], "go\n");
    expect(stdout).toContain("→ Reject once: No\n");
    expect(stdout).toContain("The input has ended\n");
    expect(stdout).toContain("Chosen: no");
  });
});

describe("fields of a form", () => {
  test("report a wrong value in words that fit the field", async () => {
    using directory = temporaryDirectory();
    const name = { type: "string", pattern: "^[a-z]+$" };
    const terminal = await form(directory.path, { sure: { type: "boolean" }, name });
    await terminal.sees(/1 yes\n +2 no\n[^]*Your choice.*: $/u);
    terminal.type("perhaps\r");
    await terminal.sees(/Please type a number from 1 to 3, or nothing\n/u);
    terminal.type("yes\r");
    await terminal.sees(/Your answer: $/u);
    terminal.type("A\r");
    await terminal.sees(/It does not have the form that is asked for; its pattern is \^\[a-z\]\+\$\n/u);
    terminal.type("a\r");
    expect(await terminal.sees(/give up: $/u)).toContain("You are about to send:\n    sure: yes\n    name: a\n");
    terminal.type("send\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw).toContain('Sent: {"sure":true,"name":"a"}');
  });

  test("with choices take numbers and titles, and each choice once", async () => {
    using directory = temporaryDirectory();
    const anyOf = [
      { const: "a", title: "First" },
      { const: "b", title: "Second" },
    ];
    const several = { type: "array", items: { anyOf }, minItems: 2 };
    const terminal = await form(directory.path, { one: { type: "string", oneOf: anyOf }, several });
    expect(await terminal.sees(/Your choice.*: $/u)).toContain("    one (one of a list)\n    1 First\n    2 Second\n");
    terminal.type("second\r");
    await terminal.sees(/Numbers, with commas between: $/u);
    terminal.type("1,1\r");
    await terminal.sees(/It has fewer than 2 choices\n/u);
    await terminal.sees(/Numbers, with commas between.*: $/u);
    terminal.type("1, Second\r");
    await terminal.sees(/1 Send\n[^]*give up: $/u);
    terminal.type("1\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw).toContain('Sent: {"one":"b","several":["a","b"]}');
  });
});

describe("between turns", () => {
  test("/help lists the client's own commands", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(directory.path, `end("end_turn");`);
    const { stdout } = await run([clientProgram, "-i", "--cwd", directory.path, ...agent], "/help\n/quit\n");
    expect(stdout).toMatch(/^Commands: \/help {2}\/sessions {2}.*\/quit$/mu);
    expect(stdout).toMatch(/\/sessions +Go to another session[^]*\/delete <session id> +Delete/u);
  });

  test("a question of a session that the user has left is not shown as one of a call here", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(
      directory.path,
      `
  const toolCall = { toolCallId: "1", title: "Harmless", kind: "read" };
  update({ sessionUpdate: "tool_call", ...toolCall });
  if (sessionId === "s2") send({ id: "q", method: "session/request_permission", params: { sessionId: "s1", toolCall: { ...toolCall, title: "Harmful" }, options: ${options} } });
  end("end_turn");`,
    );
    const terminal = new Terminal(directory.path, [clientProgram, "--plain", ...agent], { NO_COLOR: "1" });
    for (const line of ["go", "/new"]) {
      await terminal.sees(/> $/u);
      terminal.type(`${line}\r`);
    }
    await terminal.sees(/Session s2[^]*> $/u);
    terminal.type("go\r");
    await terminal.sees(/✗ Session s1 asks something[^]*> $/u);
    terminal.type("/load s1\r");
    await terminal.sees(/says: Harmful\n/u);
    await terminal.sees(/Your choice \[1-2\]: $/u);
    terminal.type("2\r");
    await terminal.sees(/> $/u);
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
  });

  test("a user who quits before there is a session sees no failure", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(directory.path, "", ["session/new"]);
    const terminal = new Terminal(directory.path, [clientProgram, "--plain", ...agent], { NO_COLOR: "1" });
    await terminal.sees(/ACP 1/u);
    terminal.type(control("C"));
    expect(await terminal.ended).toBe(130);
    expect(terminal.raw).not.toContain("✗");
  });
});
