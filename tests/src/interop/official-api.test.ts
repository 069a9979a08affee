/** The calls that users of the official SDK make, against an agent of the toolkit. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import * as acp from "@agentclientprotocol/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";

import { desk } from "./agent-desk.ts";
import { modes, updates } from "../support/samples.ts";
import type { Step } from "./steps.ts";
import { say } from "./cases/steps.ts";

const cwd = "/project/project";
const asked: acp.RequestPermissionRequest[] = [];
let child: ChildProcess;
let connection: acp.ClientConnection;

beforeAll(async () => {
  const program = fileURLToPath(new URL("programs/toolkit-agent.ts", import.meta.url));
  const started = spawn(process.execPath, [program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child = started;
  connection = acp
    .client({ name: "official-api" })
    .onRequest("session/request_permission", ({ params }) => {
      asked.push(params);
      return { outcome: { outcome: "selected", optionId: params.options[0]?.optionId ?? "" } };
    })
    .connect(
      acp.ndJsonStream(
        Writable.toWeb(started.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(started.stdout) as ReadableStream<Uint8Array>,
      ),
    );
  await connection.agent.request("initialize", {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientCapabilities: { session: { configOptions: { boolean: {} } } },
  });
});

afterAll(async () => {
  child.stdin?.end();
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
});

const play = (...steps: Step[]): string => JSON.stringify(steps);

type NewSession = { readonly sessionId: string; readonly [member: string]: unknown };

async function arrangeNew(result: NewSession, announced: readonly object[] = []): Promise<void> {
  await connection.agent.request(desk.arrange, { target: "session/new", answer: { result, updates: announced } });
}

test("buildSession() opens a session, prompts it and reads its text", async () => {
  await arrangeNew({ sessionId: "built-1", modes });
  const text = await connection.agent.buildSession(cwd).withSession(async (session) => {
    expect([session.sessionId, session.modes]).toEqual(["built-1", modes]);
    const answered = session.prompt(
      play(say("Hello"), { update: { sessionUpdate: "plan", entries: [] } }, say(", world.")),
    );
    const read = await session.readText();
    expect((await answered).stopReason).toBe("end_turn");
    return read;
  });
  expect(text).toBe("Hello, world.");
});

test("nextUpdate() gives every update of a turn in order, then its end", async () => {
  await arrangeNew({ sessionId: "built-2" });
  const sent = Object.entries(updates)
    // The client above offers neither notices nor compaction.
    .filter(([variant]) => variant !== "notice" && !variant.startsWith("compaction"))
    .map(([variant, members]) => ({ sessionUpdate: variant, ...members }));
  await connection.agent.buildSession(cwd).withSession(async (session) => {
    void session.prompt([{ type: "text", text: play(...sent.map((update) => ({ update }))) }]);
    for (const update of sent) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await session.nextUpdate()).toMatchObject({ kind: "session_update", update });
    }
    expect(await session.nextUpdate()).toMatchObject({ kind: "stop", stopReason: "end_turn" });
  });
});

test("CMD-01: announcements that the agent makes while it opens a session are kept", async () => {
  const announced = { sessionUpdate: "available_commands_update", ...updates["available_commands_update"] };
  await arrangeNew({ sessionId: "built-3" }, [announced]);
  const session = await connection.agent.buildSession({ cwd, mcpServers: [] }).start();
  // The official SDK drops what comes before the answer that tells it the session's id.
  expect(await session.nextUpdate()).toMatchObject({ kind: "session_update", update: announced });
  session.dispose();
});

test("a permission request of the toolkit's agent has its options", async () => {
  await arrangeNew({ sessionId: "built-4" });
  await connection.agent.buildSession(cwd).withSession(async (session) => {
    const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
    const params = { toolCall: { toolCallId: "c" }, options };
    const answer = await session.prompt(play({ call: "session/request_permission", params }));
    expect(answer._meta).toEqual({ results: [{ result: { outcome: { outcome: "selected", optionId: "yes" } } }] });
  });
  expect(asked).toHaveLength(1);
});

test("a cancellationSignal ends a prompt with -32800", async () => {
  await arrangeNew({ sessionId: "built-5" });
  await connection.agent.buildSession(cwd).withSession(async (session) => {
    const turn = session.prompt(play({ work: true }), { cancellationSignal: AbortSignal.timeout(30) });
    await expect(turn).rejects.toMatchObject({ code: -32800 });
  });
});

test("SESS-17: closing and deleting sessions that are gone succeeds, since the SDK takes -32002 for success", async () => {
  expect(await connection.agent.request("session/close", { sessionId: "never-was" })).toEqual({});
  expect(await connection.agent.request("session/delete", { sessionId: "never-was" })).toEqual({});
});
