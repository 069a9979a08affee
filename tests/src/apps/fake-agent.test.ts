// `acp fake-agent`: a scripted agent for clients in any language.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { contentLength } from "@acp/framing";
import { expectTurn, fakeAgent, type AgentScript, fakeClient } from "@acp/testing";
import { type Program, startProgram } from "@acp/testing/process";
import { Ajv } from "ajv";
import { afterAll, describe, expect, test } from "vitest";

import { clientProgram } from "../support/main-job-programs.ts";
import { schemaFile, scriptSchema } from "../support/script-schema.ts";

const folder = mkdtempSync(join(tmpdir(), "acp-fake-agent-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function start(script: string | AgentScript, ...args: string[]): Promise<Program> {
  const file = join(folder, `script-${++files}.json`);
  writeFileSync(file, typeof script === "string" ? script : JSON.stringify(script));
  return startProgram({ command: process.execPath, args: [clientProgram, "fake-agent", ...args, file], grace: 60_000 });
}

/** What it prints to stderr, and its exit code, when it has ended by itself. */
async function failure(script: string): Promise<{ readonly said: string; readonly exitCode: number | null }> {
  const program = await start(script);
  program.start({ data: () => {}, closed: () => {} });
  const { exitCode } = await program.exited;
  return { said: program.stderr(), exitCode };
}

const everything: AgentScript = {
  $schema: schemaFile,
  prompts: [
    [{ think: "hm" }, { say: "Hi " }, { call: "edit", ask: true, output: "2 lines" }, { say: "done", after: 5 }],
    [{ plan: ["Read", { content: "Edit", status: "in_progress" }] }, { fail: { code: -32001, message: "No model" } }],
    [{ raw: "[notice]\n" }, { say: "ag" }, { end: "max_tokens" }, { say: "late" }],
    [{ crash: { code: 7, stderr: "oh no\n" } }],
  ],
  session: { modes: { currentModeId: "ask", availableModes: [] } },
  answers: { "session/load": [{ say: "old" }, { reply: {} }], "session/list": { sessions: [] } },
};

describe("acp fake-agent", () => {
  test("plays a script over stdio, in the order of the prompts, to its death", async () => {
    const program = await start(everything);
    await using client = fakeClient(program);
    await client.call("session/load", { sessionId: "s", cwd: "/", mcpServers: [] });
    expect(client.updates).toMatchObject([{ content: { text: "old" } }]);
    await expectTurn(client.prompt("Go")).toSay("Hi done").toCall("edit", { status: "completed", output: "2 lines" });
    await expectTurn(client.prompt("Go")).toPlan("Read", "Edit").toFail(-32001);
    await expectTurn(client.prompt("Go")).toEnd("max_tokens");
    await client.peer.until(() => JSON.stringify(client.updates).includes("late"), "the late text");
    expect(client.peer.issues).toHaveLength(1);
    await expect(Promise.resolve(client.prompt("Go"))).rejects.toThrow("has ended before");
    expect(await program.exited).toMatchObject({ exitCode: 7 });
    expect(program.stderr()).toContain("oh no");
  });

  test("speaks version 2 and Content-Length, and ends with its input", async () => {
    const program = await start({ prompts: [[{ say: "Hi" }]] }, "--protocol", "2", "--framing", "content-length");
    const client = fakeClient(program, { protocol: 2, framing: contentLength });
    await expectTurn(client.prompt("Go")).toSay("Hi").toEnd("end_turn");
    await client.close();
    expect(await program.exited).toMatchObject({ exitCode: 0 });
  });

  test("closes its output and stays, if the script says so", async () => {
    const program = await start({ prompts: [[{ raw: "half a li" }, { hangUp: true }]], onInputEnd: "stay" });
    const client = fakeClient(program);
    await expect(Promise.resolve(client.prompt("Go"))).rejects.toThrow("has ended before");
    await program.kill();
    expect(await program.exited).toMatchObject({ signal: "SIGKILL" });
  });

  test.each<readonly [what: string, script: string, said: RegExp]>([
    [
      "an unknown member",
      '{ "prompts": [[\n{ "say": "Hi", "afetr": 1 }]] }',
      /:2: prompts\[0\]\[0\]\.afetr is unknown. Known are say, messageId, after/,
    ],
    ["a value of another type", '{ "prompts": [[{ "say": 7 }]] }', /:1: prompts\[0\]\[0\]\.say must be a string/],
    [
      "an unknown step",
      '{ "prompts": [[{ "sya": "Hi" }]] }',
      /prompts\[0\]\[0\] must be an object with say or an object with think/,
    ],
    [
      "two things in one step",
      '{ "prompts": [[{ "say": "a", "think": "b" }]] }',
      /prompts\[0\]\[0\]\.think is unknown/,
    ],
    [
      "a step of an answer",
      '{ "prompts": [], "answers": { "session/load": [{ "wait": "long" }] } }',
      /answers\.session\/load\[0\]\.wait must be a number/,
    ],
    [
      "an entry of a plan",
      '{ "prompts": [[{ "plan": [{ "content": "a", "status": "done" }] }]] }',
      /plan\[0\]\.status must be "/,
    ],
    ["prompts that are no lists", '{ "prompts": [{ "say": "Hi" }] }', /prompts\[0\] must be a list/],
    ["no JSON", '{ "prompts": [[', /is no JSON/],
    ["an empty file", " ", /is empty/],
  ])("names the place of %s", async (_, script, said) => {
    const { said: printed, exitCode } = await failure(script);
    expect(printed).toMatch(said);
    expect(exitCode).toBe(11);
  });
});

describe("schema/fake-agent.schema.json", () => {
  const schema: unknown = JSON.parse(readFileSync(schemaFile, "utf8"));

  test("is what the types say: `node --conditions=@acp/source tests/src/support/script-schema.ts` writes it", () => {
    expect(schema).toEqual(scriptSchema());
  });

  test("describes every member", () => {
    const undescribed: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [name, member] of Object.entries(value)) {
        if (path.endsWith("/properties") && !("description" in (member as object))) undescribed.push(`${path}/${name}`);
        look(member, `${path}/${name}`);
      }
    };
    look(schema, "");
    expect(undescribed).toEqual([]);
  });

  test("takes what fakeAgent() takes, and refuses what it refuses", () => {
    const validate = new Ajv({ strict: false }).compile(schema as object);
    expect([validate(everything), validate.errors]).toEqual([true, null]);
    fakeAgent(everything);
    for (const step of [{ sya: "Hi" }, { say: "Hi", afetr: 1 }, { say: "a", think: "b" }, [], "Hi", {}]) {
      expect(validate({ prompts: [[step]] })).toBe(false);
      expect(() => fakeAgent({ prompts: [[step as never]] })).toThrow();
    }
  });
});
