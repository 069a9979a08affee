import { createClient, RequestError } from "@acp/core";
import * as version2 from "@acp/core/v2";
import { describe, expect, test } from "vitest";

import {
  ask,
  call,
  crash,
  end,
  expectTurn,
  fail,
  fakeAgent,
  hang,
  plan,
  raw,
  reply,
  request,
  say,
  testClock,
  think,
  transcript,
  waitFor,
} from "../src/index.ts";

const info = { name: "test", version: "1.0.0" };
const allowing = {
  "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "allow" } }),
} as const;

async function openSession(agent: ReturnType<typeof fakeAgent>, handlers: object = allowing) {
  const connected = await createClient({ info, handlers } as Parameters<typeof createClient>[0]).connect(
    agent.transport(),
  );
  return connected.newSession({ cwd: "/project" });
}

describe("a scripted agent", () => {
  test("says, thinks, plans and calls what its script has", async () => {
    await using agent = fakeAgent(({ text }) => [
      think("Let me see"),
      plan(["Read", { content: "Edit", status: "in_progress" }]),
      say(`You want ${text}. `),
      call("edit", { ask: true, output: "2 lines" }),
      call("execute", { ends: "failed" }),
      say("Done"),
    ]);
    const session = await openSession(agent);
    expect(await transcript(session.prompt("more"))).toBe(
      [
        "(Let me see)",
        "You want more. ",
        "* edit [edit] completed: 2 lines",
        "* execute [execute] failed",
        "Done",
        "- Read (pending)",
        "- Edit (in_progress)",
        "= end_turn",
      ].join("\n"),
    );
    expect(agent.prompts).toEqual(["more"]);
  });

  test("does not do what the user rejects", async () => {
    await using agent = fakeAgent([call("delete", { ask: true, output: "gone" })]);
    const session = await openSession(agent, {
      "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "reject" } }),
    });
    await expectTurn(session.prompt("go")).toCall("delete", { status: "failed", output: "" });
  });

  test("goes on with what a generator makes of the answers", async () => {
    await using agent = fakeAgent(function* () {
      const chosen: string | undefined = yield ask("Really?");
      const read: { result: { content: string } } = yield request("fs/read_text_file", { path: "/a" });
      yield say(`${chosen}: ${read.result.content}`);
    });
    const session = await openSession(agent, { ...allowing, "fs/read_text_file": () => ({ content: "text" }) });
    await expectTurn(session.prompt("go")).toSay("allow: text");
  });

  test("waits on a clock of the test", async () => {
    const clock = testClock();
    await using agent = fakeAgent([say("a"), say("b", { after: 60_000 })], { clock });
    const session = await openSession(agent);
    const said = expectTurn(session.prompt("go")).toSay("ab");
    await agent.next("session/prompt");
    await clock.pass(59_999);
    expect(agent.connections[0]?.traffic.at(-1)?.text).toContain('"a"');
    await clock.pass(1);
    await said;
  });

  test("answers a cancel with `cancelled`, and goes on if `onCancel` is ignore", async () => {
    for (const [onCancel, stopReason] of [
      ["answer", "cancelled"],
      ["ignore", "end_turn"],
    ] as const) {
      await using agent = fakeAgent([say("working"), waitFor("session/cancel"), say("late")], { onCancel });
      const session = await openSession(agent);
      const turn = session.prompt("go");
      await agent.next("session/prompt");
      turn.cancel();
      expect(await turn.response).toMatchObject({ stopReason });
    }
  });

  test("sends text behind the end of a turn, and lines that are not messages", async () => {
    await using agent = fakeAgent([raw("[notice] starting\n"), say("Hi"), end(), say(" there")]);
    const session = await openSession(agent);
    const updates = session.updates[Symbol.asyncIterator]();
    await session.prompt("go").response;
    expect((await updates.next()).value).toMatchObject({ content: { text: "Hi" } });
    expect((await updates.next()).value).toMatchObject({ content: { text: " there" } });
  });

  test("fails, hangs and dies", async () => {
    await using failing = fakeAgent([fail("No model", -32001)]);
    await expect((await openSession(failing)).prompt("go").response).rejects.toThrow(RequestError);
    await using dying = fakeAgent([say("a"), crash()]);
    await expect((await openSession(dying)).prompt("go").response).rejects.toThrow("closed");
    await using hanging = fakeAgent([hang()]);
    const session = await openSession(hanging);
    const turn = session.prompt("go");
    await hanging.next("session/prompt");
    turn.cancel();
    expect(await turn.response).toMatchObject({ stopReason: "cancelled" });
  });

  test("plays steps for other methods", async () => {
    await using agent = fakeAgent([], { answers: { "session/load": [say("old"), reply({}), say("late")] } });
    const connected = await createClient({ info }).connect(agent.transport());
    const session = await connected.loadSession({ sessionId: "s", cwd: "/project" });
    const texts: unknown[] = [];
    for await (const update of session.updates) if (texts.push(update) === 2) break;
    expect(texts).toMatchObject([{ content: { text: "old" } }, { content: { text: "late" } }]);
  });

  test("waits as long as its options say", async () => {
    const clock = testClock();
    await using agent = fakeAgent([], { timeout: 60_000, clock });
    let isOver = false;
    const refused = expect(agent.next("session/prompt").finally(() => (isOver = true))).rejects.toThrow("within 60 s");
    await clock.pass(59_000);
    expect(isOver).toBe(false);
    await clock.pass(1000);
    await refused;
  });

  test("speaks version 2", async () => {
    await using agent = fakeAgent([think("hm"), say("Hi"), call("edit", { ask: true, output: "ok" }), plan(["a"])], {
      protocol: 2,
    });
    const handlers = { ...allowing } as Parameters<typeof version2.createClient>[0]["handlers"];
    const client = version2.createClient({ info, handlers });
    const connected = await client.connect(agent.transport());
    const session = await connected.newSession({ cwd: "/project" });
    await expectTurn(session.prompt("go"))
      .toSay("Hi")
      .toCall("edit", { status: "completed", output: "ok" })
      .toPlan("a");
  });
});
