import { deepStrictEqual as equal, match, ok } from "node:assert";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { ClientPort, PortTurn } from "../client-port.ts";
import { eventually } from "../eventually.ts";
import { failureOf } from "../failure.ts";
import { type CaseContext, type InteropCase, test } from "../interop-case.ts";
import { at, type Json } from "../json.ts";

/** The reference agent, driven by a client of each SDK. */
export const referenceCases: readonly InteropCase[] = [
  test("INIT-05: sends its version, name and capabilities", async ({ client }) => {
    const { protocolVersion, agentInfo, agentCapabilities } = client.details;
    equal(protocolVersion, 1);
    equal(at(agentInfo, "name"), "reference-agent");
    equal(at(agentCapabilities, "loadSession"), true);
    const sessions = at(agentCapabilities, "sessionCapabilities");
    equal(Object.keys(sessions as Json).toSorted(), ["close", "delete", "list", "resume"]);
  }),
  test("CMD-01: opens a session with modes and announces its commands", async ({ client, directory }) => {
    const opened = await client.call("session/new", { cwd: directory, mcpServers: [] });
    equal(at(opened, "modes", "currentModeId"), "ask");
    const sessionId = String(opened["sessionId"]);
    const announced = await eventually(() => client.record.updatesOf(sessionId)[0], "an update");
    equal(announced["sessionUpdate"], "available_commands_update");
  }),
  test("answers a greeting", async (context) => {
    const turn = await say(context, await open(context), "hello");
    equal(turn.response["stopReason"], "end_turn");
    match(textOf(turn), /reference agent/u);
  }),
  test("PROM-05: takes a link in a prompt, and reads the file through the client", async (context) => {
    const path = join(context.directory, "notes.txt");
    await writeFile(path, "buy milk\n");
    const turn = await context.client.prompt({
      sessionId: await open(context),
      prompt: [
        { type: "text", text: "read" },
        { type: "resource_link", name: "notes.txt", uri: `file://${path}` },
      ],
    });
    equal(turn.response["stopReason"], "end_turn");
    equal(context.client.record.paramsOf("fs/read_text_file").length > 0, true);
    ok(JSON.stringify(turn.updates).includes("buy milk"));
    equal(lastStatus(turn), "completed");
  }),
  test("PERM-01: asks before it writes, and writes the allowed text", async (context) => {
    const turn = await say(context, await open(context), "write notes.txt: buy milk");
    equal(context.client.record.paramsOf("session/request_permission").length, 1);
    equal(await readFile(join(context.directory, "notes.txt"), "utf8"), "buy milk\n");
    equal(lastStatus(turn), "completed");
  }),
  test("FS-05: writes a new file through a client that answers a missing one with an internal error", async (context) => {
    context.client.record.answer("fs/read_text_file", ({ path }) => {
      throw new Error(`ENOENT: no such file or directory, open '${String(path)}'`);
    });
    await say(context, await open(context), "write notes.txt: buy milk");
    equal(await readFile(join(context.directory, "notes.txt"), "utf8"), "buy milk\n");
  }),
  test("PERM-04: leaves a file alone when the user rejects", async (context) => {
    const { client, directory } = context;
    client.record.answer("session/request_permission", ({ options }) => {
      const reject = (options as Json[]).find(({ kind }) => kind === "reject_once");
      return { outcome: { outcome: "selected", optionId: reject?.["optionId"] } };
    });
    const turn = await say(context, await open(context), "write notes.txt: buy milk");
    equal([turn.response["stopReason"], lastStatus(turn)], ["end_turn", "failed"]);
    equal(await readFile(join(directory, "notes.txt"), "utf8").catch(() => "none"), "none");
  }),
  test("MODE-02/agent: in mode code it does not ask; an unknown mode is answered -32602", async (context) => {
    const sessionId = await open(context);
    const { code } = await failureOf(context.client.call("session/set_mode", { sessionId, modeId: "none" }));
    // A client of this toolkit does not even send it.
    equal(code === "usage" ? -32602 : code, -32602);
    await context.client.call("session/set_mode", { sessionId, modeId: "code" });
    await say(context, sessionId, "write notes.txt: buy milk");
    equal(context.client.record.paramsOf("session/request_permission"), []);
    equal(await readFile(join(context.directory, "notes.txt"), "utf8"), "buy milk\n");
  }),
  test("TERM-08: runs a command in a terminal of the client and releases it", async (context) => {
    const { record } = context.client;
    const turn = await say(context, await open(context), "run node --version");
    match(JSON.stringify(turn.updates), /"terminalId"/u);
    equal(record.paramsOf("terminal/create").length, record.paramsOf("terminal/release").length);
    equal(lastStatus(turn), "completed");
  }),
  test("fixes a failing test with a plan, files, terminals and permission", async (context) => {
    const { directory } = context;
    await writeFile(join(directory, "package.json"), '{"type":"module","scripts":{"test":"node --test"}}');
    await writeFile(join(directory, "add.js"), "export function add(a, b) {\n  return a - b;\n}\n");
    await writeFile(
      join(directory, "add.test.js"),
      'import { strictEqual } from "node:assert";\nimport { test } from "node:test";\nimport { add } from "./add.js";\n\ntest("adds", () => strictEqual(add(2, 3), 5));\n',
    );
    const turn = await say(context, await open(context), "fix the failing test");
    match(await readFile(join(directory, "add.js"), "utf8"), /a \+ b/u);
    const plans = turn.updates.filter(({ sessionUpdate }) => sessionUpdate === "plan");
    ok(plans.length > 1);
    equal(new Set((at(plans.at(-1), "entries") as Json[]).map(({ status }) => status)), new Set(["completed"]));
  }),
  test("CANC-05: cancels a command that runs", async (context) => {
    const sessionId = await open(context);
    const turn = await context.client.prompt(
      { sessionId, prompt: [{ type: "text", text: "run sleep 600" }] },
      { cancel: AbortSignal.timeout(300) },
    );
    equal(turn.response["stopReason"], "cancelled");
    match(textOf(await say(context, sessionId, "hello")), /reference agent/u);
  }),
  test("SESS-06, LIST-04: lists, loads with the history, resumes without, closes and deletes", async (context) => {
    const { client, directory: cwd } = context;
    const sessionId = await open(context);
    await say(context, sessionId, "hello");
    await client.call("session/close", { sessionId });
    const listed = async (): Promise<unknown[]> =>
      ((await client.call("session/list", { cwd }))["sessions"] as Json[]).map((session) => session["sessionId"]);
    equal(await listed(), [sessionId]);
    client.record.updates.length = 0;
    await client.call("session/load", { sessionId, cwd, mcpServers: [] });
    // The commands are announced behind the answer, and so behind the history.
    await eventually(() => kindsOf(client, sessionId).find((kind) => kind === "available_commands_update"), "commands");
    const kinds = kindsOf(client, sessionId);
    equal([kinds.includes("user_message_chunk"), kinds.includes("agent_message_chunk")], [true, true]);
    await client.call("session/close", { sessionId });
    client.record.updates.length = 0;
    await client.call("session/resume", { sessionId, cwd, mcpServers: [] });
    await eventually(() => kindsOf(client, sessionId)[0], "commands");
    equal(kindsOf(client, sessionId), ["available_commands_update"]);
    equal(await client.call("session/delete", { sessionId }), {});
    equal(await client.call("session/delete", { sessionId }), {});
    equal(await listed(), []);
  }),
  test("SESS-26: unknown sessions and methods are answered with an error", async ({ client, directory: cwd }) => {
    const load = client.call("session/load", { sessionId: "none", cwd, mcpServers: [] });
    equal((await failureOf(load)).code, -32002);
    equal((await failureOf(client.call("_acme/none", {}))).code, -32601);
  }),
  test("INIT-13/agent: works on its own when the client offers nothing", { client: {} }, async (context) => {
    const path = join(context.directory, "notes.txt");
    await writeFile(path, "buy milk\n");
    const sessionId = await open(context);
    ok(JSON.stringify((await say(context, sessionId, "read notes.txt")).updates).includes("buy milk"));
    equal(lastStatus(await say(context, sessionId, "run node --version")), "completed");
    const seen = context.client.record.messages.map(({ method }) => method);
    equal(
      seen.filter((method) => method.startsWith("fs/") || method.startsWith("terminal/")),
      [],
    );
  }),
];

async function open({ client, directory }: CaseContext): Promise<string> {
  return String((await client.call("session/new", { cwd: directory, mcpServers: [] }))["sessionId"]);
}

function say({ client }: CaseContext, sessionId: string, text: string): Promise<PortTurn> {
  return client.prompt({ sessionId, prompt: [{ type: "text", text }] });
}

function textOf({ updates }: PortTurn): string {
  const chunks = updates.filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
  return chunks.map((chunk) => at(chunk, "content", "text")).join("");
}

/** The status that the last report of a tool call left behind. */
function lastStatus({ updates }: PortTurn): unknown {
  const calls = updates.filter(({ sessionUpdate }) => String(sessionUpdate).startsWith("tool_call"));
  return calls.findLast(({ status }) => status !== undefined)?.["status"];
}

function kindsOf({ record }: ClientPort, sessionId: string): readonly unknown[] {
  return record.updatesOf(sessionId).map(({ sessionUpdate }) => sessionUpdate);
}
