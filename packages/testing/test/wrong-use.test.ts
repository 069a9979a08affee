// What somebody gets who has never seen this package, and does not write what was meant.
import { createClient, UsageError } from "@acp/core";
import { describe, expect, test } from "vitest";

import { call, end, expectTurn, fakeAgent, fakeClient, say, type Step } from "../src/index.ts";
import { agentCommand } from "../src/process/index.ts";

const info = { name: "test", version: "1.0.0" };

/** As a program without types does it. */
const untyped = (value: unknown): never => value as never;

describe("fakeAgent() says what is wrong with", () => {
  test.each<readonly [what: string, script: unknown, message: string]>([
    ["no script", undefined, "has got undefined as its script. It takes steps"],
    ["a single step", say("Hi"), 'has got {"say":"Hi"} as its script. It takes steps, such as [say("Hi")]'],
    ["text", "Hi", 'has got the text "Hi" as its script'],
    ["a promise of steps", Promise.resolve([say("Hi")]), "has got a promise as its script. Await it before"],
    ["a step that is unknown", [say("a"), { sya: "Hi" }], 'Step 2 of the script is unknown: {"sya":"Hi"}. Use the'],
    [
      "an unknown member",
      [{ say: "a", afterwards: 1 }],
      'unknown member "afterwards". Known for say are say, messageId',
    ],
    ["two things in one step", [{ say: "a", think: "b" }], 'unknown member "think"'],
    ["a function among the steps", [say], "Step 1 of the script is a function"],
    ["steps in steps", [[say("a")]], "Step 1 of the script is a list. Write the steps of a list one by one"],
    ["a promise among the steps", [Promise.resolve(say("a"))], "Step 1 of the script is a promise. Await it before"],
    ["a step of a prompt in JSON", { prompts: [[], [{ tell: 1 }]] }, "Step 1 of prompts[1] is unknown"],
    ["steps that are no lists", { prompts: [say("a")] }, "{ prompts: [[…], …] }"],
  ])("%s", (_, script, message) => {
    const make = (): unknown => fakeAgent(untyped(script));
    expect(make).toThrow(UsageError);
    expect(make).toThrow(message);
  });

  test("steps of answers", () => {
    expect(() => fakeAgent([], { answers: { "session/load": [untyped({ tell: 1 })] } })).toThrow(
      'Step 1 of answers["session/load"] is unknown',
    );
    expect(() => fakeAgent([], { opened: [untyped({})] })).toThrow("Step 1 of opened is unknown");
  });
});

describe("a script that fails is an answer to the client, and fails the test", () => {
  test.each<readonly [what: string, script: () => unknown, message: string]>([
    ["it returns nothing", () => {}, "The script is undefined. Return a list of steps"],
    ["it returns one step", () => say("Hi"), 'The script is {"say":"Hi"}. Return a list of steps'],
    [
      "it yields no step",
      untyped(function* () {
        yield "Hi";
      }),
      'Step 1 of the script is the text "Hi"',
    ],
    [
      "it yields a promise",
      untyped(function* () {
        yield Promise.resolve(say("a"));
      }),
      "use an async generator",
    ],
    [
      "it yields a list",
      untyped(function* () {
        yield [say("a")];
      }),
      "yield* steps",
    ],
    [
      "an assertion of it fails",
      () => {
        throw new Error("expected allow");
      },
      "expected allow",
    ],
  ])("%s", async (_, script, message) => {
    const agent = fakeAgent(untyped(script));
    const client = fakeClient(agent);
    await expectTurn(client.prompt("Go")).toFail(new RegExp(message.replaceAll(/[[\](){}*.?]/gu, "\\$&"), "u"));
    await expect(agent.next("session/cancel")).rejects.toThrow(message);
    await expect(agent.close()).rejects.toThrow(message);
    await agent.close();
    await client.close();
  });

  test("behind the end of the turn as well, without a second answer", async () => {
    const agent = fakeAgent(function* () {
      yield end();
      throw new Error("too late");
    });
    const client = fakeClient(agent);
    await expectTurn(client.prompt("Go")).toEnd("end_turn");
    await expect(agent.close()).rejects.toThrow("too late");
    await client.peer.closed;
    expect(client.peer.received).toHaveLength(3);
  });

  test("of version 2 as well, which ends the turn", async () => {
    const agent = fakeAgent(
      () => {
        throw new Error("no");
      },
      { protocol: 2 },
    );
    await using client = fakeClient(agent, { protocol: 2 });
    await expectTurn(client.prompt("Go")).toFail(/The script of the agent failed: no/u);
    await expect(agent.close()).rejects.toThrow("no");
  });
});

test("a function may promise its steps, and answers", async () => {
  await using agent = fakeAgent(async ({ text }) => Promise.resolve([say(text), call("edit")]), {
    answers: { "session/load": async () => Promise.resolve([say("old")]) },
  });
  await using client = fakeClient(agent);
  await client.call("session/load", { sessionId: "s", cwd: "/", mcpServers: [] });
  expect(client.updates).toMatchObject([{ content: { text: "old" } }]);
  await expectTurn(client.prompt("Go")).toSay("Go").toCall("edit");
});

test("steps follow the answer to `session/new`, and a whole agent is JSON", async () => {
  const script = {
    prompts: [[{ say: "one" }], [{ say: "two" }]],
    opened: [{ update: { sessionUpdate: "available_commands_update", availableCommands: [] } }],
    session: { modes: { currentModeId: "ask", availableModes: [] } },
  } satisfies { prompts: Step[][]; [member: string]: unknown };
  await using agent = fakeAgent(JSON.parse(JSON.stringify(script)) as typeof script);
  await using client = fakeClient(agent);
  for (const text of ["one", "two", "two"]) await expectTurn(client.prompt("Go")).toSay(text);
  expect(client.updates[0]).toMatchObject({ sessionUpdate: "available_commands_update" });
});

describe("fakeClient() says what is wrong with", () => {
  test.each<readonly [what: string, agent: () => unknown, message: string]>([
    ["a client", () => createClient({ info }), "has got a client. Test a client with fakeAgent()"],
    ["nothing", () => undefined, "has got undefined. Pass what createAgent() or startProgram() returns"],
    ["a promise", () => Promise.resolve(fakeAgent([])), "a promise. Await it before"],
    ["a command", () => ({ command: "my-agent", args: [] }), "fakeClient(await startProgram(command))"],
    ["another scripted client", () => fakeClient(fakeAgent([])), "Pass what createAgent()"],
  ])("%s", (_, agent, message) => {
    const make = (): unknown => fakeClient(untyped(agent()));
    expect(make).toThrow(UsageError);
    expect(make).toThrow(message);
  });
});

describe("expectTurn() says what is wrong with", () => {
  test("a session, a client, an answer, nothing", async () => {
    await using agent = fakeAgent([say("Hi")]);
    await using scripted = fakeClient(agent);
    const connected = await createClient({ info }).connect(agent.transport());
    const session = await connected.newSession({ cwd: "/project" });
    expect(() => expectTurn(untyped(session))).toThrow("This is a session or a client, and no turn");
    expect(() => expectTurn(untyped(scripted))).toThrow("This is a session or a client, and no turn");
    const { response } = session.prompt("Go");
    await expect(expectTurn(untyped(response)).toShow("Hi")).rejects.toThrow("This is the answer to a prompt");
    expect(() => expectTurn(untyped(undefined))).toThrow("A turn is what session.prompt() returns");
    expect(() => expectTurn(untyped(7))).toThrow(UsageError);
  });

  test("and is a promise, with all that promises have", async () => {
    const seen: string[] = [];
    await expectTurn("Hi")
      .toShow("Hi")
      .finally(() => seen.push("finally"));
    await expectTurn("Hi")
      .toShow("Ho")
      .catch((error: unknown) => seen.push(String(error).split("\n")[0] ?? ""));
    expect(seen).toEqual(["finally", 'TurnMismatchError: "Ho" was not shown.']);
    await expect(Promise.all([expectTurn("a").toSay("a"), expectTurn("b").toSay("b")])).resolves.toHaveLength(2);
  });
});

test("agentCommand() says what is wrong with anything but a scripted agent", async () => {
  await expect(agentCommand(untyped([say("Hi")]))).rejects.toThrow("agentCommand() takes what fakeAgent() returns");
});
