// `acp-inspect --web` between a client and an agent, and who may read what it serves.
import { readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createClient } from "@acp/core";
import { spawnAgent } from "@acp/node";
import { expect, test } from "vitest";

import { foreignAgent, temporaryDirectory } from "../support/main-job-programs.ts";

const inspectProgram = fileURLToPath(new URL("../../../packages/inspect/dist/main.js", import.meta.url));
const info = { name: "editor", version: "1.0.0" };

test("serves the messages as they pass with --web, only to who has the token", async () => {
  using directory = temporaryDirectory();
  const log = join(directory.path, "log");
  const agent = foreignAgent(
    directory.path,
    `update({ sessionUpdate: "tool_call", toolCallId: "t", title: "API_KEY=hunter2-made-up", status: "done" });
     end("end_turn");`,
  );
  let printed: (line: string) => void = () => {};
  const address = new Promise<string>((resolve) => (printed = resolve));
  const connected = await spawnAgent(createClient({ info }), {
    command: process.execPath,
    args: [inspectProgram, "--web", "--log", log, ...agent],
    onStderr: printed,
  });
  const { origin, host, hash } = new URL((await address).replace(/^.* at /u, ""));
  const token = new URLSearchParams(hash.slice(1)).get("token") ?? "";
  const authorization = { Authorization: `Bearer ${token}` };
  const statusOf = async (path: string, headers: Record<string, string>, method = "GET"): Promise<number> => {
    const request = httpRequest(`${origin}${path}`, { headers, method });
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.destroy();
    return response.statusCode ?? 0;
  };
  expect(token.length).toBeGreaterThan(30);
  expect([
    await statusOf("/trace", {}),
    await statusOf("/trace", { Authorization: `Bearer ${token.slice(1)}x` }),
    await statusOf(`/trace?token=${token}`, {}),
    // The page of another site whose name now leads here.
    await statusOf("/trace", { ...authorization, Host: `evil.example:${host.split(":")[1]}` }),
    await statusOf("/trace", authorization, "POST"),
    await statusOf("/", {}),
    await statusOf("/trace", authorization),
  ]).toEqual([401, 401, 404, 403, 405, 200, 200]);

  const stream = await fetch(`${origin}/trace`, { headers: authorization });
  const text = stream.text();
  const session = await connected.newSession({ cwd: directory.path });
  await session.prompt("Hello").response;
  await connected.close();
  const [first, ...lines] = (await text)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(first).toEqual({ dropped: 0, command: agent.slice(1) });
  expect(lines.at(-1)).toEqual({ ended: true });
  const entries = lines.slice(0, -1).map(({ entry }) => entry);
  expect(entries.map(({ name }) => name)).toEqual([
    "initialize",
    "initialize",
    "session/new",
    "session/new",
    "session/prompt",
    "session/update tool_call",
    "session/prompt",
  ]);
  expect(entries[5].findings).toMatchObject([{ path: "/update/status" }]);
  expect(JSON.stringify(lines)).not.toContain("hunter2");
  expect(readFileSync(log, "utf8")).not.toContain(token);
});

/** An agent whose session has the id of its process. It says what it gets, and tries to write a file. */
const echoing = `
import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const sessionId = "s-" + process.pid;
const say = (text) => send({ method: "session/update", params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
let prompt;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, error } = JSON.parse(line);
  if (method === "initialize") send({ id, result: { protocolVersion: 1 } });
  if (method === "session/new") send({ id, result: { sessionId } });
  if (method === "session/prompt") {
    prompt = id;
    say((params.sessionId === sessionId) + " " + params.prompt[0].text);
    if (params.prompt[0].text !== "hang") send({ id: "w", method: "fs/write_text_file", params: { sessionId, path: "/tmp/x", content: "API_KEY=hunter2-made-up" } });
  }
  if (id === "w") {
    say(" " + error?.message);
    send({ id: prompt, result: { stopReason: "end_turn" } });
  }
}
`;

test("sends an edited message to a fresh agent of its own, which writes no file, and ends with it", async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "echoing.mjs");
  writeFileSync(file, echoing);
  let printed: (line: string) => void = () => {};
  const address = new Promise<string>((resolve) => (printed = resolve));
  const connected = await spawnAgent(createClient({ info }), {
    command: process.execPath,
    args: [inspectProgram, "--web", "--log", join(directory.path, "log"), "--", process.execPath, file],
    onStderr: printed,
  });
  const { origin, hash } = new URL((await address).replace(/^.* at /u, ""));
  const authorization = { Authorization: `Bearer ${new URLSearchParams(hash.slice(1)).get("token")}` };
  const session = await connected.newSession({ cwd: directory.path });
  await session.prompt("first").response;
  const send = (body: unknown, more: object = {}, headers: object = {}): Promise<Response> =>
    fetch(`${origin}/send`, {
      method: "POST",
      headers: { ...authorization, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...more,
    });
  const promptOf = (text: string, setup: readonly number[] = [0, 2]): object => ({
    method: "session/prompt",
    params: { sessionId: session.id, prompt: [{ type: "text", text }] },
    isNotification: false,
    setup,
  });
  const statusOf = async (response: Promise<Response>): Promise<number> => {
    const { status, body } = await response;
    await body?.cancel();
    return status;
  };
  expect([
    await statusOf(send(promptOf("a"), {}, { Authorization: "" })),
    await statusOf(send(promptOf("a"), {}, { Origin: "https://evil.example" })),
    await statusOf(send("no JSON")),
    await statusOf(send({ method: "x", setup: ["0"] })),
  ]).toEqual([401, 401, 400, 400]);
  expect(await (await send(promptOf("a", [99]))).text()).toContain("not kept");

  const all = await Promise.all(
    ["one", "two"].map(async (text) => {
      const lines = (await (await send(promptOf(text))).text()).trimEnd().split("\n");
      return { lines, said: lines.join("\n") };
    }),
  );
  expect(all[0]?.said).toContain("true one");
  expect(all[1]?.said).toContain("true two");
  for (const { lines, said } of all) {
    expect(said).toContain("Refused");
    expect(said).not.toContain(session.id);
    expect(said).not.toContain("hunter2");
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ end: "it was answered" });
  }
  const pidOf = (text: string): number => Number(/s-(\d+)/u.exec(text)?.[1]);
  expect(pidOf(all[0]?.said ?? "")).not.toBe(pidOf(all[1]?.said ?? ""));

  // Who goes away ends the agent.
  const away = new AbortController();
  const hanging = await send(promptOf("hang"), { signal: away.signal });
  const reader = hanging.body!.pipeThrough(new TextDecoderStream()).getReader();
  let read = "";
  while (!read.includes("true hang")) read += (await reader.read()).value ?? "";
  const pid = pidOf(read);
  expect(process.kill(pid, 0)).toBe(true);
  away.abort();
  await expect.poll(() => isAlive(pid)).toBe(false);

  // The connection that is inspected has seen nothing of it.
  expect(await session.prompt("last").response).toEqual({ stopReason: "end_turn" });
  await connected.close();
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
