// The transcript of the user interface, in a pseudo-terminal.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { ChatScreen, ready } from "../support/terminal/chat-screen.ts";
import { temporaryDirectory } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";

const control = (key: string): string => String.fromCharCode(key.charCodeAt(0) - 64);

const turn = `
  const output = Array.from({ length: 80 }, (_, n) => "output " + n).join("\\n");
  update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Build", kind: "execute", status: "completed",
    content: [{ type: "content", content: { type: "text", text: output } }] });
  say("First part.\\n\\n");
  await until("go on");
  for (let n = 0; n < 30; n += 1) say("Later " + n + ".\\n\\n");
  say("Chosen: " + (await permission("Edit", [{ optionId: "y", name: "Yes", kind: "allow_once" }, { optionId: "n", name: "No", kind: "reject_once" }])));
  end("end_turn");`;

test("shows everything whole while the turn goes on, and leaves no trace", async () => {
  using directory = temporaryDirectory();
  using chat = new ChatScreen(scriptedAgent(directory.path, turn), { cwd: directory.path });
  await chat.shows(ready);
  await chat.say("go");
  const before = await chat.shows(/71 more lines[^]*First part[^]*Enter queues/u);
  expect(chat.everything).not.toContain("output 40");
  chat.type(control("O"));
  await chat.shows(/Transcript \d+\/\d+/u);
  chat.type("/output 40\r");
  await chat.shows(/^❯ {3}│ output 40$/mu);
  await chat.shows(/^Found 1 of 1 /mu);
  expect(chat.raw).toContain("\u001B[?1049h");

  chat.type("y");
  await chat.shows(/Copied/u);
  // oxlint-disable-next-line no-control-regex -- the sequence begins and ends with control characters
  const [, encoded = ""] = /\u001B\]52;c;([^\u0007]*)\u0007/u.exec(chat.raw) ?? [];
  expect(Buffer.from(encoded, "base64").toString()).toContain("output 79");
  chat.type("s");
  await chat.shows(/Saved as transcript-.*\.txt/u);
  const [file = ""] = readdirSync(directory.path).filter((name) => name.endsWith(".txt"));
  expect(readFileSync(join(directory.path, file), "utf8")).toMatch(/❯ go\n[^]*output 40\n[^]*First part\./u);

  chat.type(control("O"));
  // Only the spinner and the time have changed.
  const still = (screen: string): string => screen.replaceAll(/^\S Writing.*$/gmu, "");
  expect(still(await chat.shows(/Enter queues/u))).toBe(still(before));

  // What happens meanwhile comes to the scrollback afterwards, once.
  chat.type(control("O"));
  await chat.shows(/Transcript/u);
  writeFileSync(join(directory.path, "go on"), "");
  await chat.shows(/Later 29[^]*The agent asks: Esc/u);
  chat.resize(100, 30);
  await chat.shows(/^\d+\/\d+ {2}The agent asks: Esc .*$/mu);
  chat.type("q");
  await chat.shows(/1 Allow once/u);
  chat.type("1");
  await chat.shows(/Chosen: y[^]*Type a prompt/u);
  chat.type("/quit\r");
  expect(await chat.ended).toBe(0);
  for (let at = 0; at < 30; at += 1) expect(chat.everything.split(`Later ${at}.`)).toHaveLength(2);
  expect(chat.everything).not.toContain("Transcript");
  expect(chat.everything).not.toContain("output 40");
});
