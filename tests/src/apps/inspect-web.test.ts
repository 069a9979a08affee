// `acp-inspect --web` between a client and an agent, and who may read what it serves.
import { readFileSync } from "node:fs";
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
  expect(first).toEqual({ dropped: 0 });
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
