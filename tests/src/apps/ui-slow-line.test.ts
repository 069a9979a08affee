// A terminal on a slow line: it gets few frames, and what the user types soon.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { spawn } from "@lydell/node-pty";
import { expect, test } from "vitest";

import { homeOf, ready } from "../support/terminal/chat-screen.ts";
import { clientProgram, programEnvironment, temporaryDirectory, waitFor } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { control } from "../support/terminal/terminal.ts";
import { TerminalScreen } from "../support/terminal/terminal-screen.ts";

/** Shows a thought in one line, which changes again and again. */
const thinking = (times: number): string => `for (let at = 0; at < ${times}; at += 1) {
    update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "thought number " + at + " is a long one, " } });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  (await import("node:fs")).writeFileSync("thought", "");
  await until("over");
  end("end_turn");`;

test("while the line takes nothing, few frames wait in it, and a key is drawn behind these", async () => {
  using directory = temporaryDirectory();
  const agent = scriptedAgent(directory.path, thinking(600));
  const pty = spawn(process.execPath, [clientProgram, ...agent], {
    cols: 80,
    rows: 24,
    cwd: directory.path,
    env: { ...programEnvironment(homeOf(directory.path)), TERM: "xterm-256color" },
  });
  let raw = "";
  pty.onData((data) => {
    raw += data;
    for (const _ of data.matchAll(/\[5n/gu)) pty.write("\u001B[0n");
  });
  try {
    await waitFor(() => raw, ready);
    pty.write("go\r");
    await waitFor(() => raw, /number 3/u);
    pty.pause();
    await waitFor(() => String(existsSync(join(directory.path, "thought"))), /true/u);
    const before = raw.length;
    pty.write("QQQ");
    pty.resume();
    await waitFor(() => raw.slice(before), /QQQ/u);
    // Without waiting, there would be some fifty frames of more than 300 characters.
    expect(raw.slice(before).indexOf("QQQ")).toBeLessThan(6_000);
    writeFileSync(join(directory.path, "over"), "");
    await waitFor(() => raw.slice(before), /■/u);
  } finally {
    pty.kill("SIGKILL");
  }
});

test("nothing that the terminal answers is left to the next program", async () => {
  using directory = temporaryDirectory();
  const agent = scriptedAgent(directory.path, thinking(100_000));
  const script = `"$@"; IFS= read -r typed; printf '%s' "$typed" > typed; echo over`;
  using screen = new TerminalScreen(["-c", script, "sh", process.execPath, clientProgram, ...agent], {
    cwd: directory.path,
    command: "/bin/sh",
    env: homeOf(directory.path),
  });
  await screen.shows(ready);
  screen.type("go");
  await screen.shows(/> go/u);
  screen.type("\r");
  await screen.shows(/is a long one/u);
  screen.type(control("C"));
  screen.type(control("C"));
  screen.type(control("C"));
  await screen.shows(/acp --continue|acp resume/u);
  screen.type("mine\r");
  await screen.shows(/^over$/mu);
  expect(readFileSync(join(directory.path, "typed"), "utf8")).toBe("mine");
});
