import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { GoClient, GoError } from "./go-client.ts";
import { ignored } from "./programs/go-json.ts";

/** An agent of ours, as a process, served to a client that is written from the Go dialect's document. */
const client = new GoClient();
let initialized: Record<string, unknown>;
beforeAll(async () => {
  initialized = await client.initialize();
});
afterAll(() => client.close());

const open = async (metadata?: Readonly<Record<string, string>>): Promise<string> =>
  String((await client.newSession(metadata))["id"]);

describe("a Go client of an agent of ours", () => {
  test("gets its version back in its own form, the agent's name and accepted content", () => {
    expect(initialized).toEqual({
      protocolVersion: "1.0",
      agentInfo: { name: "toolkit-agent", version: "1.2.3" },
      capabilities: { loadSession: false, promptCapabilities: { image: true, audio: true, embeddedContext: false } },
    });
  });

  test("sees a whole turn: two chunks around a tool call that runs and completes, and its end", async () => {
    const session = await open();
    expect(await client.prompt(session, "go")).toBe("endTurn");
    const [first, running, completed, last] = client.updates(session);
    expect(client.updates(session)).toHaveLength(4);
    expect([first, last]).toEqual([
      { type: "messageChunk", role: "assistant", chunk: "Processing your request...\n", toolCall: undefined },
      { type: "messageChunk", role: "assistant", chunk: "I've read the file", toolCall: undefined },
    ]);
    const { id } = Object(running?.toolCall) as { readonly id: string };
    const call = { id, name: "read_file", input: "", output: "" };
    expect(running).toMatchObject({
      type: "toolCall",
      toolCall: { ...call, status: "running", input: "/path/to/file.go" },
    });
    expect(completed).toMatchObject({
      type: "toolCall",
      toolCall: { ...call, status: "completed", output: "file contents..." },
    });
    expect(client.events.at(-1)).toEqual({ sessionId: session, update: "stop endTurn" });
  });

  test("gets sequential session ids if the agent gives them (CHK-09)", async () => {
    const numbers = [await open(), await open()].map((id) => Number(/^session-(\d+)$/.exec(id)?.[1]));
    expect((numbers[1] ?? 0) - (numbers[0] ?? 0)).toBe(1);
  });

  test("gives metadata, of which workDir becomes cwd, and gets it back with the agent's own (CHK-10)", async () => {
    const { id, metadata } = await client.newSession({ workDir: "/project", branch: "feature/new-ui" });
    expect(metadata).toEqual({ workDir: "/project", branch: "feature/new-ui", opened: "yes" });
    await client.prompt(String(id), "state");
    const state = { cwd: "/project", branch: "feature/new-ui", turns: 1, client: {} };
    expect(JSON.parse(client.text(String(id)))).toEqual(state);
    await client.told("metadata holds nothing but texts");
  });

  test("has the default directory without a workDir, and is refused with a relative one", async () => {
    const session = await open();
    await client.prompt(session, "state");
    expect(JSON.parse(client.text(session))).toMatchObject({ cwd: "/default" });
    await expect(client.newSession({ workDir: "relative" })).rejects.toMatchObject({ code: -32602 });
  });

  test("has independent sessions", async () => {
    const [one, other] = [await open(), await open()];
    await client.prompt(one, "state");
    await client.prompt(one, "state");
    await client.prompt(other, "state");
    const turns = (session: string): unknown => JSON.parse(client.text(session).split("}").at(-3) + "}}")["turns"];
    expect([turns(one), turns(other)]).toEqual([2, 1]);
  });

  test.each([
    ["search", "TODO in src", "search(TODO in src)"],
    ["fix", "", "fix()"],
  ])("calls the command /%s", async (name, input, answer) => {
    const session = await open();
    // A client that sends a command alone has a nil slice for a prompt.
    expect(await client.prompt(session, "", { prompt: null, command: { name, input } })).toBe("endTurn");
    expect(client.text(session)).toBe(answer);
  });

  test.each(["/search it", "it"])("sends %j with a command, and it arrives once", async (text) => {
    const session = await open();
    const prompt = [
      { type: "text", text },
      { type: "image", data: "aW1n", mimeType: "image/png" },
    ];
    await client.prompt(session, "", { prompt, command: { name: "search", input: "it" } });
    expect(client.text(session)).toBe("search(it)+1");
  });

  test("gets an error for an unknown command", async () => {
    const session = await open();
    const asked = client.prompt(session, "", { prompt: null, command: { name: "dance" } });
    await expect(asked).rejects.toMatchObject({ code: -32603 });
  });

  test("sends text, images and audio in one prompt", async () => {
    const session = await open();
    const prompt = [
      { type: "text", text: "parts" },
      { type: "image", data: "aW1n", mimeType: "image/png" },
      { type: "audio", data: "c291bmQ=", mimeType: "audio/wav" },
      { type: "text", text: "" },
    ];
    expect(await client.prompt(session, "", { prompt })).toBe("endTurn");
    expect(client.text(session)).toBe("parts image:aW1n audio:c291bmQ= ");
  });

  test("gets -32602 for a part that is not known", async () => {
    const session = await open();
    const asked = client.prompt(session, "", { prompt: [{ type: "video", data: "aW1n" }] });
    await expect(asked).rejects.toMatchObject({ code: -32602 });
  });

  test("gets -32601 for an unknown method, with its id as it came, and calls extension methods", async () => {
    const refused = await client.call("session/fly", {}).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(GoError);
    expect(refused).toMatchObject({ code: -32601, message: "Method not found" });
    await expect(client.call("_acme/ping", { a: 1 }, "text id")).resolves.toMatchObject({
      result: { params: { a: 1 } },
    });
    client.write('{"jsonrpc":"2.0","id":9007199254740993,"method":"session/new","params":{}}');
    await client.until(() => client.lines.some((line) => line.includes('"id":9007199254740993,"result":{"session":')));
    client.write("not json");
    await client.until(() => client.lines.some((line) => line.includes('"code":-32700')));
  });

  test("cancels by a request that is answered with an empty object, before the turn ends", async () => {
    const session = await open();
    const turn = client.prompt(session, "wait");
    await client.until(() => client.text(session) === "waiting");
    expect((await client.call("session/cancel", { sessionId: session })).result).toEqual({});
    expect(client.events.at(-1)?.update).not.toBe("stop cancelled");
    expect(await turn).toBe("cancelled");
  });

  test("cancels all running work if it names no session", async () => {
    const sessions = [await open(), await open()];
    const turns = sessions.map((session) => client.prompt(session, "wait"));
    await client.until(() => sessions.every((session) => client.text(session) === "waiting"));
    expect((await client.call("session/cancel")).result).toEqual({});
    expect(await Promise.all(turns)).toEqual(["cancelled", "cancelled"]);
  });

  test("is never asked: permission is rejected in its place, with a diagnostic", async () => {
    const session = await open();
    expect(await client.prompt(session, "permission")).toBe("endTurn");
    expect(JSON.parse(client.text(session))).toEqual({ outcome: "selected", optionId: "no" });
    await client.told("session/request_permission: it was rejected");
    expect(client.lines.filter((line) => "id" in JSON.parse(line) && "method" in JSON.parse(line))).toEqual([]);
  });

  test("gets a plan as text, images in words, no thoughts, and a notice about turns that ended early", async () => {
    const session = await open();
    await client.prompt(session, "plan");
    await client.prompt(session, "rich");
    expect(await client.prompt(session, "long")).toBe("error");
    expect(client.updates(session).map(({ type, chunk }) => `${type} ${chunk}`)).toEqual([
      "planUpdate - [x] read\n- [~] write",
      "messageChunk [image image/png]",
    ]);
    const parts = ["agent_thought_chunk has no counterpart", "put into words", "ended early", "agentInfo.title"];
    await Promise.all(parts.map((part) => client.told(part)));
    expect(new Set(client.diagnostics.map(([type]) => type))).toContain("translation");
  });

  test("reads whole lines of JSON, in order, while turns of many sessions write at once (TRAN-17)", async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => open()));
    await Promise.all(sessions.map((session) => client.prompt(session, "count 100")));
    for (const session of sessions) {
      const numbers = client.updates(session).map(({ chunk }) => chunk.split("\n")[0]);
      expect(numbers).toEqual(Array.from({ length: 100 }, (_, n) => `${session}:${n}:`));
      const own = client.events.filter(({ sessionId }) => sessionId === session);
      expect(own.at(-1)?.update).toBe("stop endTurn");
    }
    // Each was parsed when it came; none was empty, and none had another message in it.
    expect(client.lines.every((line) => JSON.parse(line)["jsonrpc"] === "2.0")).toBe(true);
  });

  test("finds no member that its structs do not have, but for a plan's entries", () => {
    expect([...ignored].filter((member) => !member.startsWith("error."))).toEqual(["session/update.update.entries"]);
  });
});
