// What lines and the user interface say about a login that the agent offers, and how they are left.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { ChatScreen, ready } from "../support/terminal/chat-screen.ts";
import { clientProgram, foreignAgent, run, temporaryDirectory } from "../support/main-job-programs.ts";
import { control } from "../support/terminal/terminal.ts";

/** An agent that offers a login, and refuses a method until somebody has logged in. */
function lockedAgent(directory: string, locked: string): string[] {
  const file = join(directory, "locked-agent.mjs");
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const answers = {
  initialize: { protocolVersion: 1, authMethods: [{ id: "key", name: "With a key", description: "Set MY_KEY" }] },
  "session/new": { sessionId: "s" },
  "session/prompt": { stopReason: "end_turn" },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (method === ${JSON.stringify(locked)}) send({ id, error: { code: -32000, message: "Authentication required" } });
  else if (id !== undefined) send({ id, result: answers[method] ?? {} });
}`,
  );
  return ["--", process.execPath, file];
}

test.each(["session/new", "session/prompt"])(
  "every mode names the login that the agent offers, at %s",
  async (method) => {
    using directory = temporaryDirectory();
    const agent = lockedAgent(directory.path, method);
    const modes = [
      ["exec", "x"],
      ["--plain", "--prompt", "x"],
      ["--prompt", "x"],
      ["--plain", "--interactive"],
    ];
    for (const mode of modes) {
      const { stderr } = await run([clientProgram, ...mode, ...agent], "x\n");
      expect(stderr, mode.join(" ")).toContain("Log in first, with one of:");
      expect(stderr, mode.join(" ")).toContain("--login key   With a key  Set MY_KEY");
      expect(stderr, mode.join(" ")).not.toContain("own program");
    }
  },
);

test.each(["/exit", "/quit", "  /exit  "])("%j quits lines and the user interface, and is not sent", async (word) => {
  using directory = temporaryDirectory();
  const body = `update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Sent " + text } }); end("end_turn");`;
  const agent = foreignAgent(directory.path, body);
  const plain = await run([clientProgram, "--plain", "--interactive", ...agent], `one\n${word}\ntwo\n`);
  expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining("Sent one") });
  expect(plain.stdout).not.toMatch(/Sent (?!one)/u);
  using chat = new ChatScreen(agent, { cwd: directory.path });
  await chat.shows(ready);
  chat.type(word);
  await chat.shows(new RegExp(word.trim(), "u"));
  chat.type("\r");
  expect(await chat.ended).toBe(0);
  expect(chat.everything).not.toContain("Sent");
});

test("/exit quits while a turn runs, sent either way", async () => {
  using directory = temporaryDirectory();
  const agent = foreignAgent(
    directory.path,
    `update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Going" } });`,
  );
  for (const key of ["\r", control("S")]) {
    using chat = new ChatScreen(agent, { cwd: directory.path });
    await chat.shows(ready);
    await chat.say("go");
    await chat.shows(/Going/u);
    chat.type("/exit");
    await chat.shows(/> \/exit/u);
    chat.type(key);
    await chat.ended;
  }
});
