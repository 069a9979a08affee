// What people do without thinking in a terminal, in the user interface with agents that do what a test says.
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import { describe, expect, test } from "vitest";

import { ChatScreen, type ChatOptions, ready } from "../support/terminal/chat-screen.ts";
import { temporaryDirectory } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { control } from "../support/terminal/terminal.ts";

const escape = "\u001B";

/** A chat with an agent that answers prompts with this code, and a way to let it go on. */
function open(body: string, options: Omit<ChatOptions, "cwd"> = {}) {
  const directory = temporaryDirectory();
  const chat = new ChatScreen(scriptedAgent(directory.path, body), { cwd: directory.path, ...options });
  return {
    chat,
    cwd: directory.path,
    allow: (name: string): void => writeFileSync(join(directory.path, name), ""),
    [Symbol.dispose]: () => {
      chat.close();
      directory[Symbol.dispose]();
    },
  };
}

const waits = `say("You said " + text); await until("go on"); end("end_turn");`;

describe("Ctrl-C", () => {
  test("clears a draft, cancels the turn, and quits only while its notice is there", async () => {
    using opened = open(`say("You said " + text); await until("cancelled"); end("cancelled");`);
    const { chat, allow } = opened;
    await chat.shows(ready);
    await chat.say("go");
    await chat.shows(/You said go/u);
    chat.type("a draft");
    await chat.shows(/> a draft/u);
    chat.type(control("C"));
    await chat.shows(/Cleared\. Up brings it back/u);
    expect(chat.screen).not.toContain("Cancelling");
    chat.type(control("C"));
    await chat.shows(/Cancelling\. Press Ctrl-C again to quit/u);
    allow("cancelled");
    // The turn is over, and the notice with it.
    await chat.shows(/■ Cancelled[^]*Type a prompt/u);
    expect(chat.screen).not.toContain("Press Ctrl-C again");
    chat.type(control("C"));
    await chat.shows(/Press Ctrl-C again to quit/u);
    await chat.shows(/^(?![^]*Press Ctrl-C)/u);
    // This one is the first again.
    chat.type(control("C"));
    await chat.shows(/Press Ctrl-C again to quit/u);
    chat.type(control("C"));
    expect(await chat.ended).toBe(130);
  });
});

describe("what waits for the end of a turn comes back to the editor", () => {
  test.each([
    ["Esc", escape],
    ["Ctrl-C", control("C")],
  ])("when %s cancels the turn", async (_, key) => {
    using opened = open(waits);
    const { chat, allow } = opened;
    await chat.shows(ready);
    await chat.say("one");
    await chat.shows(/You said one/u);
    await chat.say("two");
    await chat.shows(/⋯ two/u);
    await chat.say("three");
    await chat.shows(/2 queued/u);
    chat.type(key);
    await chat.shows(/Cancelling[^]*^> two\n {2}three$/mu);
    expect(chat.screen).not.toContain("queued");
    allow("go on");
    await chat.shows(/■ /u);
    chat.type("!\r");
    await chat.shows(/❯ two\n {2}three![^]*You said two/u);
  });

  test("with the prompt that was never answered, when the agent dies", async () => {
    using opened = open(`await until("die"); process.exit(3);`, { columns: 160 });
    const { chat, allow } = opened;
    await chat.shows(ready);
    await chat.say("one");
    await chat.shows(/Working/u);
    await chat.say("two");
    await chat.shows(/⋯ two/u);
    chat.type("draft");
    await chat.shows(/> draft/u);
    allow("die");
    await chat.shows(/exited with code 3[^]*^> one\n {2}two\n {2}draft$/mu);
    expect(chat.screen).not.toMatch(/queued|⋯/u);
  });

  test("without a prompt that the agent has begun to answer before it died", async () => {
    using opened = open(`say("Here you are"); await until("die"); process.exit(3);`, { columns: 160 });
    const { chat, allow } = opened;
    await chat.shows(ready);
    await chat.say("one");
    await chat.shows(/Here you are/u);
    allow("die");
    await chat.shows(/exited with code 3[^]*Type a prompt/u);
    chat.type("\u001B[A");
    await chat.shows(/^> one$/mu);
  });

  test("with a pasted block, when /restart ends an agent that ignores cancelling", async () => {
    using opened = open(`await new Promise(() => {});`);
    const { chat } = opened;
    await chat.shows(ready);
    const block = Array.from({ length: 12 }, (_each, index) => `line ${index}`).join("\n");
    chat.type(`\u001B[200~${block}\u001B[201~`);
    await chat.shows(/^> \[pasted #1: 12 lines\]$/mu);
    chat.type("\r");
    // It stays a block.
    await chat.shows(/^❯ \[pasted #1: 12 lines\]$/mu);
    chat.type(escape);
    await chat.shows(/not answered to cancelling for 5 s\. \/restart ends it and keeps\s+what you typed/u);
    await chat.say("/restart");
    await chat.shows(/The agent has started again[^]*^> \[pasted #1: 12 lines\]$/mu);
    expect(chat.everything).not.toContain("line 3");
  });
});

describe("a question", () => {
  const asks = `
    const options = [
      { optionId: "y", name: "Yes", kind: "allow_once" },
      { optionId: "n", name: "No", kind: "reject_once" },
    ];
    if (text !== "go") { say("You said " + text); end("end_turn"); return; }
    say("First " + await permission("Do it", options));
    say("then " + await permission("Do it again", options));
    end("end_turn");`;

  test("is rejected with a reason, which is the next prompt of an agent that takes no messages", async () => {
    using opened = open(asks);
    const { chat } = opened;
    await chat.shows(ready);
    await chat.say("go");
    await chat.shows(/Tab: reject and say why/u);
    chat.type("\t");
    await chat.shows(/Why not\?/u);
    chat.type("1 is enough");
    await chat.shows(/^> 1 is enough$/mu);
    chat.type("\r");
    // The second question has the keys now, and the reason waits.
    await chat.shows(/Do it → Reject once: No[^]*⋯ 1 is enough[^]*the agent says: Do it again[^]*Tab: reject/u);
    chat.type("1");
    await chat.shows(/First n.*then y[^]*❯ 1 is enough[^]*You said 1 is enough/su);
  });
});

describe("the window", () => {
  const asks = `
    await until("ask");
    await permission("Do it", [{ optionId: "y", name: "Yes", kind: "allow_once" }]);
    end("end_turn");`;
  const told = "\u001B]9;acp: node waits for your answer\u0007\u0007";
  const env = { TMUX: "", VTE_VERSION: "" };

  test.each([
    ["of a question if it has lost the focus", "O", true],
    ["of no question if it has the focus", "I", false],
  ])("tells %s, and has its title back in the end", async (_, focus, isTold) => {
    using opened = open(asks, { env });
    const { chat, allow, cwd } = opened;
    await chat.shows(ready);
    await chat.say("go");
    await chat.shows(/Working/u);
    chat.type(`\u001B[${focus}x`);
    await chat.shows(/> x$/mu);
    allow("ask");
    await chat.shows(/Keys go to your prompt/u);
    expect(chat.raw.includes(told)).toBe(isTold);
    expect(chat.raw).toContain(`\u001B]2;? ${basename(cwd)} · node\u0007`);
    chat.type("\r");
    await chat.shows(/Enter: answer/u);
    chat.type("1");
    await chat.shows(/■ /u);
    chat.type(control("C") + control("D"));
    await chat.ended;
    for (const [on, off] of [
      ["\u001B[22;2t", "\u001B[23;2t"],
      ["\u001B[?1004h", "\u001B[?1004l"],
    ] as const) {
      expect(chat.raw.split(on)).toHaveLength(2);
      expect(chat.raw.lastIndexOf(off)).toBeGreaterThan(chat.raw.indexOf(on));
    }
  });

  test("is left alone if the configuration says so", async () => {
    using directory = temporaryDirectory();
    mkdirSync(join(directory.path, "acp"));
    writeFileSync(join(directory.path, "acp", "config.json"), '{ "ui": { "notifications": false } }');
    using opened = open(asks, { env: { ...env, XDG_CONFIG_HOME: directory.path } });
    const { chat, allow } = opened;
    await chat.shows(ready);
    await chat.say("go");
    await chat.shows(/Working/u);
    chat.type("\u001B[O");
    allow("ask");
    await chat.shows(/1.* Yes/u);
    for (const part of ["\u001B]", "\u001B[?1004", "\u001B[22;2t", "\u0007"]) expect(chat.raw).not.toContain(part);
  });
});
