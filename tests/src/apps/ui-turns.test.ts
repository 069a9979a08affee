// Turns in the user interface, with agents that do what a test says.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { type FakePrompt, fail, hang, reply, say, type Step, type Steps, textAt } from "@acp/testing";
import { describe, expect, test } from "vitest";

import { ChatScreen, ready } from "../support/terminal/chat-screen.ts";
import { temporaryDirectory } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { scripted, withResolvers } from "../support/scripted.ts";

const escape = "\u001B";

/** A chat with an agent that answers prompts with this code, and a way to let it go on. */
function open(body: string, unanswered: readonly string[] = []) {
  const directory = temporaryDirectory();
  const chat = new ChatScreen(scriptedAgent(directory.path, body, unanswered), { cwd: directory.path });
  return {
    chat,
    allow: (name: string): void => writeFileSync(join(directory.path, name), ""),
    [Symbol.dispose]: () => {
      chat.close();
      directory[Symbol.dispose]();
    },
  };
}

const yesAndNo = `[
  { optionId: "y", name: "Yes", kind: "allow_once" },
  { optionId: "n", name: "No", kind: "reject_once" },
]`;

describe("a turn in a terminal", () => {
  test("is cancelled by Esc, and its running call with it", async () => {
    using opened = open(`
      update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Count to ten", kind: "execute", status: "in_progress" });
      await until("cancelled");
      end("cancelled");`);
    const { chat, allow } = opened;
    await chat.shows(ready);
    await chat.say("go");
    await chat.shows(/Count to ten/u);
    chat.type(escape);
    await chat.shows(/Cancelling/u);
    allow("cancelled");
    await chat.shows(/■ .*cancelled/iu);
    expect(await chat.shows(ready)).toMatch(/Count to ten .*cancelled/u);
  });

  test("lets prompts wait for its end, and gives the last of them back", async () => {
    using opened = open(`
      say("You said " + text);
      if (text === "one") await until("go on");
      end("end_turn");`);
    const { chat, allow } = opened;
    await chat.shows(ready);
    await chat.say("one");
    await chat.shows(/You said one/u);
    await chat.say("two");
    await chat.shows(/⋯ two/u);
    await chat.say("three");
    await chat.shows(/2 queued/u);
    allow("go on");
    await chat.shows(/You said one[^]*❯ two[^]*You said two[^]*❯ three[^]*You said three[^]*Type a prompt/u);
    expect(chat.screen).not.toContain("queued");
  });

  test("takes the user's messages while it runs, if the agent can be steered", async () => {
    using directory = temporaryDirectory();
    using chat = new ChatScreen(await steeredAgent(), { cwd: directory.path });
    await chat.shows(ready);
    await chat.say("go");
    await chat.shows(/Going/u);
    chat.type("leave the tests alone");
    await chat.shows(/leave the tests alone/u);
    chat.type("\u0013");
    await chat.shows(/❯ leave the tests alone[^]*Taken: leave the tests alone/u);
    expect(chat.screen).not.toContain("queued");
    await chat.shows(ready);
  });

  test.each([
    ["never answers", hang()],
    ["refuses", reply({ outcome: "failed" })],
    ["does not know it", fail("Method not found", -32601)],
  ])("a message to a running turn becomes a prompt if the agent %s", async (_, answer) => {
    using directory = temporaryDirectory();
    const { words, goOn } = await deafAgent([answer]);
    using chat = new ChatScreen(words, { cwd: directory.path });
    await chat.shows(ready);
    await chat.say("go");
    await chat.shows(/Heard go/u);
    chat.type("leave the tests alone");
    await chat.shows(/> leave the tests alone/u);
    chat.type("\u0013");
    // It is pending, and to be seen.
    await chat.shows(/⋯ leave the tests alone/u);
    goOn();
    await chat.shows(/❯ leave the tests alone[^]*Heard leave the tests alone/u);
    await chat.shows(ready);
    expect(chat.screen).not.toContain("queued");
  });

  test("a message to a running turn can be cancelled before the agent takes it", async () => {
    using directory = temporaryDirectory();
    const { words, goOn } = await deafAgent([hang()]);
    using chat = new ChatScreen(words, { cwd: directory.path });
    await chat.shows(ready);
    await chat.say("go");
    await chat.shows(/Heard go/u);
    chat.type("a mistake");
    await chat.shows(/> a mistake/u);
    chat.type("\u0013");
    await chat.shows(/⋯ a mistake/u);
    chat.type("\u001B[A");
    await chat.shows(/> a mistake/u);
    goOn();
    await chat.shows(/■ /u);
    expect(chat.screen).not.toMatch(/Heard a mistake|⋯/u);
  });

  test("reports how long a call took without the time in which it asked the user", async () => {
    const waited = 1_500;
    using opened = open(`
      await permission("Harm somebody", ${yesAndNo});
      update({ sessionUpdate: "tool_call_update", toolCallId: "call of Harm somebody", status: "completed" });
      end("end_turn");`);
    const { chat } = opened;
    await chat.shows(ready);
    await chat.say("go");
    await chat.shows(/1.* Yes/u);
    await new Promise((resolve) => setTimeout(resolve, waited));
    chat.type("1");
    const shown = await chat.shows(/■ [^]*Type a prompt/u);
    expect(shown).toMatch(/\? Harm somebody → Allow once: Yes/u);
    // A short time is not shown.
    const [, call = "0"] = /✓ Harm somebody(?:.* ([\d.]+) s)?/u.exec(shown) ?? [];
    const [, turn = "0"] = /■ .*?([\d.]+) s/u.exec(shown) ?? [];
    expect(Number(turn)).toBeGreaterThanOrEqual(waited / 1000);
    // Both are rounded.
    expect(Number(call)).toBeLessThan(Number(turn) - waited / 1000 + 0.6);
  });

  test("reports that a message has to wait, if the agent cannot be steered", async () => {
    using opened = open(`
      say("Going");
      await until("go on");
      end("end_turn");`);
    const { chat, allow } = opened;
    await chat.shows(ready);
    await chat.say("go");
    await chat.shows(/Going/u);
    chat.type("wait");
    await chat.shows(/> wait/u);
    chat.type("\u0013");
    await chat.shows(/The agent takes no messages while it works/u);
    await chat.shows(/⋯ wait/u);
    allow("go on");
    await chat.shows(/❯ wait[^]*Type a prompt/u);
  });

  test("reports the outcome of a form", async () => {
    using opened = open(`
      const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
      const { action } = await request("elicitation/create", { mode: "form", message: "Who are you?", requestedSchema });
      say("Got " + action);
      end("end_turn");`);
    const { chat } = opened;
    await chat.shows(ready);
    await chat.say("go");
    await chat.shows(/asks: Who are you\?/u);
    chat.type(escape);
    await chat.shows(/Who are you\?[^]*→ closed[^]*Got cancel/u);
  });

  test("shows a question that is withdrawn no longer", async () => {
    using opened = open(`
      const asked = permission("Delete everything", ${yesAndNo});
      await until("withdraw");
      send({ method: "$/cancel_request", params: { requestId: asked.id } });
      await asked;
      say("Never mind");
      end("end_turn");`);
    const { chat, allow } = opened;
    await chat.shows(ready);
    await chat.say("go");
    await chat.shows(/Yes[^]*No/u);
    allow("withdraw");
    await chat.shows(/Never mind[^]*Type a prompt/u);
    expect(chat.screen).not.toMatch(/1.* Yes/u);
  });
});

describe("several sessions in a terminal", () => {
  test("continue in the background, ask from there, and are shown when the user comes back", async () => {
    using opened = open(`
      say(sessionId + " begins");
      if (text === "ask") {
        await until("ask");
        say("asking");
        say("chosen: " + await permission("Harm somebody", ${yesAndNo}));
      }
      end("end_turn");`);
    const { chat, allow } = opened;
    await chat.shows(ready);
    await chat.say("ask");
    await chat.shows(/s1 begins/u);
    await chat.say("/new");
    await chat.shows(/── Session s2/u);
    await chat.say("hello");
    await chat.shows(/s2 begins[^]*Type a prompt/u);
    allow("ask");
    await chat.shows(/Session s1 asks something/u);
    // Not in the session that the user is in.
    expect(chat.screen).not.toMatch(/1.* Yes/u);
    await chat.say("/load s1");
    await chat.shows(/── Session s1[^]*Harm somebody[^]*Yes/u);
    chat.type("1");
    await chat.shows(/chosen: y[^]*Type a prompt/u);
    // What was there before is not shown again.
    expect(chat.everything.match(/s1 begins/gu)).toHaveLength(1);
    expect(chat.everything.match(/s2 begins/gu)).toHaveLength(1);
  });
});

const steering = { initialize: { _meta: { steering: { supported: true } } } };

/** An agent that says it can be steered, and answers that with this. Its turns end when they are told to. */
async function deafAgent(answer: readonly Step[]) {
  const { promise: told, resolve: goOn } = withResolvers();
  const script = async function* ({ text }: FakePrompt): Steps {
    yield say(`Heard ${text}`);
    await told;
  };
  const { words } = await scripted(script, {
    ...steering,
    answers: { "_session/steering": answer },
    onCancel: "ignore",
  });
  return { words, goOn };
}

/** An agent that can be steered: its turn ends with what it was told. */
async function steeredAgent(): Promise<readonly string[]> {
  const { promise: ended, resolve: end } = withResolvers();
  const script = async function* (): Steps {
    yield say("Going\n\n");
    await ended;
  };
  const taken = function* (params: unknown): Steps {
    yield reply({ outcome: "injected" });
    yield say(`Taken: ${textAt(params, "prompt", 0, "text")}`);
    end();
  };
  return (await scripted(script, { ...steering, answers: { "_session/steering": taken } })).words;
}
