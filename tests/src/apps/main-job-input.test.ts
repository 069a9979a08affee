import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { clientProgram, temporaryDirectory, waitFor } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { control, Terminal } from "../support/terminal/terminal.ts";

const options = `[{ optionId: "yes", name: "Yes", kind: "allow_once" }, { optionId: "no", name: "No", kind: "reject_once" }]`;

interface Opened extends Disposable {
  readonly terminal: Terminal;
  /** Lets the agent go on that waits until a file is there. */
  readonly allow: (name: string) => void;
}

/** The client with an agent that does `body` in each turn, when it asks for the first prompt. */
async function open(body: string, env: Readonly<Record<string, string>> = {}): Promise<Opened> {
  const directory = temporaryDirectory();
  const agent = scriptedAgent(directory.path, body);
  const terminal = new Terminal(directory.path, [clientProgram, "--plain", ...agent], { NO_COLOR: "1", ...env });
  await terminal.sees(/> $/u);
  return {
    terminal,
    allow: (name) => writeFileSync(join(directory.path, name), ""),
    [Symbol.dispose]: () => {
      // A test that does not end the client would leave it, and one that fails.
      terminal.close();
      directory[Symbol.dispose]();
    },
  };
}

async function quit({ terminal }: Opened): Promise<void> {
  await terminal.sees(/> $/u);
  terminal.type("/quit\r");
  expect(await terminal.ended).toBe(0);
}

describe("questions in a terminal", () => {
  test("are asked one after another when they come at once, and those that are withdrawn are not", async () => {
    using opened = await open(`
  const asked = ["One", "Two", "Three"].map((title) => permission(title, ${options}));
  send({ method: "$/cancel_request", params: { requestId: asked[1].id } });
  say("Chosen: " + (await Promise.all([asked[0], asked[2]])).join(" "));
  end("end_turn");`);
    const { terminal } = opened;
    terminal.type("go\r");
    expect(await terminal.sees(/Your choice \[1-2\]: $/u)).not.toContain("says: Three");
    terminal.type("1\r");
    await terminal.sees(/→ Allow once: Yes/u);
    expect(await terminal.sees(/says: Three[^?]*Your choice \[1-2\]: $/u)).not.toContain("says: Two");
    terminal.type("2\r");
    await terminal.sees(/Chosen: yes no/u);
    await quit(opened);
  });

  test("of different kinds are asked one after another", async () => {
    using opened = await open(`
  const asked = permission("One", ${options});
  const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
  const filled = request("elicitation/create", { mode: "form", message: "Two", requestedSchema });
  say("Chosen: " + (await asked) + " " + (await filled).action);
  end("end_turn");`);
    const { terminal } = opened;
    terminal.type("go\r");
    expect(await terminal.sees(/Your choice \[1-2\]: $/u)).not.toContain("asks: Two");
    terminal.type("1\r");
    await terminal.sees(/asks: Two[^]*give up: $/u);
    terminal.type("d\r");
    await terminal.sees(/Chosen: yes decline/u);
    await quit(opened);
  });

  test("do not take earlier input as their answer", async () => {
    using opened = await open(`
  say("Working\\n");
  await until("typed");
  say("Chosen: " + (await permission("One", ${options})));
  end("end_turn");`);
    const { terminal, allow } = opened;
    terminal.type("go\r");
    await terminal.sees(/Working/u);
    terminal.type("1\r");
    // What the client shows it has read.
    await terminal.sees(/1\n/u);
    allow("typed");
    await terminal.sees(/Your choice \[1-2\]: $/u);
    terminal.type("2\r");
    await terminal.sees(/Chosen: no/u);
    await quit(opened);
  });

  test("between turns go before the prompt, which comes back with its text", async () => {
    using opened = await open(`
  if (text !== "go") return say("Heard " + text), end("end_turn");
  end("end_turn");
  await until("typed");
  say("Chosen: " + (await permission("Late", ${options})));`);
    const { terminal, allow } = opened;
    terminal.type("go\r");
    await terminal.sees(/■ end_turn/u);
    await terminal.sees(/> $/u);
    terminal.type("half");
    await terminal.sees(/half$/u);
    allow("typed");
    await terminal.sees(/says: Late[^]*Your choice \[1-2\]: $/u);
    terminal.type("1\r");
    await terminal.shows(/→ Allow once: Yes\n(?:[^]*\n)?> half\n*$/u);
    await terminal.shows(/Chosen: yes\n> half\n*$/u);
    terminal.type(" and half\r");
    await terminal.sees(/Heard half and half/u);
    await quit(opened);
  });
});

describe("an update while the user types", () => {
  const long = "typed ".repeat(40).trim();

  test("stays above a prompt that is longer than the window, and unfinished text continues there", async () => {
    using opened = await open(`
  end("end_turn");
  for (const [index, part] of ["One, ", "two,", " three\\nand a", " last"].entries()) {
    await until("go" + index);
    say(part);
  }`);
    const { terminal, allow } = opened;
    terminal.type("go\r");
    await terminal.sees(/■ end_turn/u);
    await terminal.sees(/> $/u);
    terminal.type(long);
    await terminal.shows(/> typed [^]*\n[^]*\n.*typed\n*$/u);
    for (const [index, above] of [
      "One,",
      "One, two,",
      "One, two, three\nand a",
      "One, two, three\nand a last",
    ].entries()) {
      allow(`go${index}`);
      await terminal.shows(new RegExp(`\\n\\n${above}\\n> typed [^>]*typed\n*$`, "u"));
    }
    const shown = terminal.screen.split("\n> ").at(-1) ?? "";
    // The window breaks it anywhere.
    expect(shown.replaceAll(/\s+/gu, "")).toBe(long.replaceAll(" ", ""));
  });

  test("stays above a question", async () => {
    using opened = await open(`
  const asked = permission("One", ${options});
  await until("asked");
  say("Meanwhile");
  say("Chosen: " + (await asked));
  end("end_turn");`);
    const { terminal, allow } = opened;
    terminal.type("go\r");
    await terminal.sees(/Your choice \[1-2\]: $/u);
    terminal.type("1");
    await terminal.sees(/1$/u);
    allow("asked");
    await terminal.shows(/Meanwhile\n {4}Your choice \[1-2\]: 1\n*$/u);
    terminal.type("\r");
    await terminal.sees(/Chosen: yes/u);
    await quit(opened);
  });

  test("comes without escape sequences where the terminal knows none", async () => {
    using opened = await open(
      `
  end("end_turn");
  await until("go");
  say("Late");`,
      { TERM: "dumb" },
    );
    const { terminal, allow } = opened;
    terminal.type("go\r");
    await terminal.sees(/■ end_turn[^]*> $/u);
    allow("go");
    await terminal.sees(/Late/u);
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw).toContain("Late");
    expect(terminal.raw).not.toContain("\u001B");
  });

  test("for a session that the user has left is not shown, nor are its commands", async () => {
    using opened = await open(`
  const commands = (name) => update({ sessionUpdate: "available_commands_update", availableCommands: [{ name, description: "" }] });
  if (sessionId === "s1") {
    end("end_turn");
    await until("left");
    say("From before\\n");
    commands("before");
    send({ method: "session/update", params: { sessionId: "s2", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "From here\\n" } } } });
  } else end("end_turn");`);
    const { terminal, allow } = opened;
    terminal.type("go\r");
    await terminal.sees(/■ end_turn/u);
    await terminal.sees(/> $/u);
    terminal.type("/new\r");
    await terminal.sees(/Session s2\n/u);
    await terminal.sees(/> $/u);
    allow("left");
    await terminal.sees(/From here/u);
    terminal.type("/before\t");
    await terminal.sees(/before$/u);
    terminal.type("\r");
    await terminal.sees(/■ end_turn/u);
    expect(terminal.screen).not.toContain("From before");
    await quit(opened);
  });
});

describe("keys in a terminal", () => {
  test("Tab completes no name that a terminal would obey, or that spans lines", async () => {
    using opened = await open(String.raw`
  const availableCommands = ["evil\u001b]0;title\u0007", "evil\nfoo", "even"].map((name) => ({ name, description: "" }));
  update({ sessionUpdate: "available_commands_update", availableCommands });
  say("Prompted: " + text);
  end("end_turn");`);
    const { terminal } = opened;
    terminal.type("go\r");
    await terminal.sees(/■ end_turn/u);
    await terminal.sees(/> $/u);
    terminal.type("/ev\t");
    await terminal.sees(/\/even$/u);
    terminal.type("\r");
    await terminal.sees(/Prompted: \/even/u);
    expect(terminal.raw).not.toContain("\u001B]0;");
    await quit(opened);
  });

  test("a text of several lines that is pasted is one prompt, sent with Enter", async () => {
    using opened = await open(`say(JSON.stringify(text)); end("end_turn");`);
    const { terminal } = opened;
    terminal.type("Look: \u001B[200~one\tword\rtwo\r\rthree\u001B[201~");
    await terminal.shows(/> Look: one {2,}word\n {2}two\n\n {2}three\n*$/u);
    terminal.type(" lines\r");
    await terminal.shows(/"Look: one\\tword\\ntwo\\n\\nthree lines"/u);
    await terminal.sees(/> $/u);
    terminal.type("\u001B[200~a line\r\u001B[201~\r");
    await terminal.shows(/"a line"/u);
    await terminal.sees(/> $/u);
    terminal.type(`\u001B[200~wrong\rtext\u001B[201~${control("C")}`);
    // It clears what is typed, and no more.
    await terminal.shows(/> wrong\n> ?\n*$/u);
    terminal.type("right\r");
    await terminal.shows(/"right"/u);
    await quit(opened);
    expect(terminal.raw.lastIndexOf("\u001B[?2004l")).toBeGreaterThan(terminal.raw.lastIndexOf("\u001B[?2004h"));
  });

  test("Ctrl-Z stops the client, and fg continues with it: with a prompt, a turn, and a question", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(
      directory.path,
      `
  await until(text);
  say("Chosen: " + (await permission("One", ${options})));
  end("end_turn");`,
    );
    const terminal = new Terminal(directory.path, ["-i"], { NO_COLOR: "1", PS1: "shell: ", ENV: "" }, "/bin/sh");
    const quoted = [process.execPath, clientProgram, "--plain", ...agent].map((arg) => `'${arg}'`).join(" ");
    const away = async (): Promise<void> => {
      terminal.type(control("Z"));
      await terminal.sees(/shell: $/u);
      terminal.type("fg\r");
      await terminal.sees(/scripted-agent\.mjs['"]?\n/u);
    };
    await terminal.sees(/shell: $/u);
    terminal.type(`${quoted}\r`);
    await terminal.sees(/> $/u);
    terminal.type("g");
    await terminal.sees(/g$/u);
    await away();
    await terminal.sees(/> g$/u);
    terminal.type("o\r");
    await terminal.sees(/o\n/u);
    await away();
    writeFileSync(join(directory.path, "go"), "");
    await terminal.sees(/Your choice \[1-2\]: $/u);
    await away();
    await terminal.sees(/Your choice \[1-2\]: $/u);
    terminal.type("2\r");
    await terminal.sees(/Chosen: no/u);
    await terminal.sees(/> $/u);
    terminal.type("/quit\r");
    await terminal.sees(/shell: $/u);
    terminal.type("exit\r");
    expect(await terminal.ended).toBe(0);
  });

  test("asks no questions where the output is a file, which gets no escape sequences", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(
      directory.path,
      `say("Chosen: " + (await permission("One", ${options}))); end("end_turn");`,
    );
    const quoted = [process.execPath, clientProgram, ...agent].map((arg) => `'${arg}'`).join(" ");
    const terminal = new Terminal(directory.path, ["-c", `${quoted} > out`], {}, "/bin/sh");
    await terminal.sees(/Type the prompt, then Ctrl-D on a line of its own:\n/u);
    terminal.type(`go\r${control("D")}`);
    expect(await terminal.ended).toBe(12);
    const shown = await waitFor(() => readFileSync(join(directory.path, "out"), "utf8"), /■ end_turn/u);
    expect(shown).toContain("→ Reject once: No  (nobody to ask; --allow allows it)");
    expect(shown).toContain("Chosen: no");
    expect(shown).not.toContain("\u001B");
  });
});
