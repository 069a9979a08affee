// `acp serve`, as a user starts it: used over both transports on every runtime, and attacked.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";

import { createClient, createWebSocketTransport, type Transport } from "@acp/core";
import { createHttpTransport } from "@acp/http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { isAlive } from "../support/is-alive.ts";
import { clientProgram, type Ended, run, temporaryDirectory, waitFor } from "../support/main-job-programs.ts";
import { commandOn, type RuntimeName } from "../support/runtimes.ts";

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory[Symbol.dispose]());

/** An agent whose prompts are calls: it answers with what the client answers. */
const agent = `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const waiting = new Map();
let capabilities, sessions = 0;
const call = (sessionId, method, params) =>
  new Promise((resolve) => {
    const id = "a" + waiting.size;
    waiting.set(id, resolve);
    send({ id, method, params: { sessionId, ...params } });
  });
async function answer(id, { sessionId, prompt }) {
  const [method, params] = JSON.parse(prompt[0].text);
  const own = { pid: process.pid, capabilities, token: process.env.ACP_TOKEN ?? null };
  const result = method === "own" ? own : await call(params.sessionId ?? sessionId, method, params);
  const content = { type: "text", text: JSON.stringify(result) };
  send({ method: "session/update", params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content } } });
  send({ id, result: { stopReason: "end_turn" } });
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(result ?? error);
  else if (method === "session/prompt") void answer(id, params);
  else if (method === "initialize") {
    capabilities = params.clientCapabilities;
    send({ id, result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { close: {} } } } });
  } else if (id !== undefined) send({ id, result: method === "session/new" ? { sessionId: "s" + ++sessions } : {} });
}
`;

/** A server that runs. */
interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
  readonly port: number;
  readonly stderr: () => string;
  /** Ends it by SIGTERM. */
  end(): Promise<Ended>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function serve(
  options: readonly string[] = [],
  { on = "node24", env = {} }: { readonly on?: RuntimeName; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Served> {
  const file = join(directory.path, "agent.mjs");
  writeFileSync(file, agent);
  const { command, args } = commandOn(on, clientProgram, [
    "serve",
    "--port",
    "0",
    ...options,
    "--",
    process.execPath,
    file,
  ]);
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, ...printed })));
  await Promise.race([waitFor(() => printed.stderr, /^Ctrl-C ends it$/mu), ended]);
  const url = /^HTTP: +(\S+)$/mu.exec(printed.stderr)?.[1];
  if (url === undefined) throw new Error(`It does not serve: ${printed.stderr}`);
  const end = (): Promise<Ended> => {
    child.kill("SIGTERM");
    return ended;
  };
  return {
    child,
    url,
    token: /^Token: +(\S+)$/mu.exec(printed.stderr)?.[1] ?? "",
    port: Number(new URL(url).port),
    stderr: () => printed.stderr,
    end,
    [Symbol.asyncDispose]: async () => void (await end()),
  };
}

/** A session with the agent, over HTTP or a WebSocket. */
async function open(transport: Transport, cwd: string, answer: "allow" | "reject" = "allow") {
  const asked: { title?: string | null | undefined; rawInput?: unknown }[] = [];
  const client = createClient({
    info: { name: "page", version: "1.0.0" },
    handlers: {
      "session/request_permission": ({ toolCall }) => {
        asked.push({ title: toolCall.title, rawInput: toolCall.rawInput });
        return { outcome: { outcome: "selected", optionId: answer } };
      },
    },
  });
  const connected = await client.connect(transport);
  const session = await connected.newSession({ cwd });
  return {
    asked,
    connected,
    session,
    /** Lets the agent call a method, and returns the answer that it got. */
    async call(method: string, params: object = {}): Promise<Record<string, unknown>> {
      let text = "";
      for await (const update of session.prompt(JSON.stringify([method, params])).updates)
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          text += update.content.text;
      return JSON.parse(text) as Record<string, unknown>;
    },
  };
}

const overHttp = ({ url, token }: Served): Transport =>
  createHttpTransport(url, { headers: { Authorization: `Bearer ${token}` } });
const overWebSocket = ({ url, token }: Served): Transport =>
  createWebSocketTransport(`${url.replace("http", "ws")}?token=${token}`);
const transports = { HTTP: overHttp, WebSocket: overWebSocket } as const;

describe.each<RuntimeName>(["node22", "node24", "deno", "bun"])("acp serve on %s", (on) => {
  test.each(["HTTP", "WebSocket"] as const)("lends files and terminals over %s, and asks the client", async (kind) => {
    await using served = await serve(["--files", directory.path, "--terminals"], { on });
    const { call, asked, connected } = await open(transports[kind](served), directory.path);
    expect(await call("own")).toMatchObject({
      capabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    });
    const file = join(directory.path, "new.txt");
    expect(await call("fs/write_text_file", { path: file, content: "written" })).toEqual({});
    expect(await call("fs/read_text_file", { path: file })).toEqual({ content: "written" });
    const command = { command: process.execPath, args: ["-e", "console.log(6 * 7)"] };
    const { terminalId } = await call("terminal/create", command);
    expect(await call("terminal/wait_for_exit", { terminalId })).toMatchObject({ exitCode: 0 });
    expect(await call("terminal/output", { terminalId })).toMatchObject({ output: "42\n" });
    expect(asked).toMatchObject([
      { title: `Write ${file}` },
      { rawInput: { command: `${process.execPath} -e 'console.log(6 * 7)'` } },
    ]);
    await connected.close();
  });

  test("each connection has an agent of its own, which ends with it or with the server", async () => {
    const served = await serve([], { on });
    const [first, second] = [await open(overHttp(served), "/"), await open(overWebSocket(served), "/")];
    const pids = [Number((await first.call("own"))["pid"]), Number((await second.call("own"))["pid"])] as const;
    expect(pids[0]).not.toBe(pids[1]);
    expect(await first.call("own")).toMatchObject({ capabilities: {} });
    await second.connected.close();
    await expect.poll(() => isAlive(pids[1])).toBe(false);
    expect(isAlive(pids[0])).toBe(true);
    expect((await served.end()).code).toBe(0);
    expect(isAlive(pids[0])).toBe(false);
  });
});

describe("acp serve", () => {
  test("reads the token from ACP_TOKEN, shows it nowhere, and keeps it from the agent", async () => {
    const token = "0123456789-abcdef";
    await using served = await serve([], { env: { ACP_TOKEN: token } });
    expect(served.stderr()).not.toContain(token);
    const { call, connected } = await open(overHttp({ ...served, token }), "/");
    expect(await call("own")).toMatchObject({ token: null });
    await connected.close();
  });

  test("lends only files below the directory, whatever the client and the agent send", async () => {
    const lent = join(directory.path, "lent");
    mkdirSync(lent);
    writeFileSync(join(directory.path, "secret"), "secret");
    symlinkSync("../secret", join(lent, "link"));
    symlinkSync("..", join(lent, "up"));
    await using served = await serve(["--files", lent, "--yes"]);
    const { call, connected, asked } = await open(overHttp(served), lent);
    for (const path of [
      join(directory.path, "secret"),
      join(lent, "link"),
      join(lent, "up/secret"),
      `${lent}/../secret`,
    ]) {
      expect(await call("fs/read_text_file", { path })).toMatchObject({ data: { reason: "outside_roots" } });
      expect(await call("fs/write_text_file", { path, content: "" })).toMatchObject({ code: -32602 });
    }
    expect(await call("fs/read_text_file", { path: 7 })).toMatchObject({ code: -32602 });
    expect(await call("fs/read_text_file", { sessionId: "other", path: join(lent, "x") })).toMatchObject({
      code: -32002,
    });
    // It has not been lent, and the client has none.
    expect(await call("terminal/create", { command: "true" })).toMatchObject({ code: -32601 });
    for (const cwd of [directory.path, join(lent, "up"), join(lent, "missing")])
      await expect(connected.newSession({ cwd })).rejects.toThrow("A session cannot work in");
    await expect(connected.newSession({ cwd: lent, additionalDirectories: ["/etc"] })).rejects.toThrow(/./u);
    expect(await call("fs/write_text_file", { path: join(lent, "new"), content: "x" })).toEqual({});
    expect(asked).toEqual([]);
    expect(readFileSync(join(directory.path, "secret"), "utf8")).toBe("secret");
    await connected.close();
  });

  test("does nothing that the client rejects, and ends terminals with their session", async () => {
    const script = "require('fs').writeFileSync('started', String(process.pid)); setInterval(() => {}, 1000)";
    const command = { command: process.execPath, args: ["-e", script] };
    await using served = await serve(["--files", directory.path, "--terminals"]);
    const refusing = await open(overHttp(served), directory.path, "reject");
    const file = join(directory.path, "started");
    expect(await refusing.call("fs/write_text_file", { path: file, content: "" })).toMatchObject({
      data: { reason: "rejected" },
    });
    expect(await refusing.call("terminal/create", command)).toMatchObject({ data: { reason: "rejected" } });
    expect(existsSync(file)).toBe(false);
    const allowing = await open(overWebSocket(served), directory.path);
    await allowing.call("terminal/create", command);
    await expect.poll(() => existsSync(file) && readFileSync(file, "utf8")).toMatch(/^\d+$/u);
    const pid = Number(readFileSync(file, "utf8"));
    expect(isAlive(pid)).toBe(true);
    await allowing.session.close();
    await expect.poll(() => isAlive(pid)).toBe(false);
    await Promise.all([refusing.connected.close(), allowing.connected.close()]);
  });

  test("refuses everybody without the token, pages of other origins, and other names of this server", async () => {
    await using served = await serve(["--origin", "https://editor.example", "--server-name", "agents.example"]);
    const { port, token } = served;
    const bearer = { Authorization: `Bearer ${token}` };
    const attacks: readonly [string, Record<string, string>, number, string?][] = [
      ["no token", {}, 401],
      ["a wrong token", { Authorization: `Bearer ${token}x` }, 401],
      ["another scheme", { Authorization: `Basic ${token}` }, 401],
      ["an empty parameter", {}, 401, "/acp?token="],
      ["the token in the URL", {}, 200, `/acp?token=${token}`],
      ["the token in a header", bearer, 200],
      ["another path", bearer, 404, "/"],
      ["a page elsewhere", { ...bearer, Origin: "https://evil.example" }, 403],
      ["a sandboxed page", { ...bearer, Origin: "null" }, 403],
      ["a page of another port", { ...bearer, Origin: `http://127.0.0.1:${port + 1}` }, 403],
      ["an allowed page", { ...bearer, Origin: "https://editor.example" }, 200],
      ["an allowed page without token", { Origin: "https://editor.example" }, 401],
      ["a page of the server", { ...bearer, Origin: `http://localhost:${port}` }, 200],
      ["a rebound name", { ...bearer, Host: `evil.example:${port}` }, 421],
      ["a name that only begins well", { ...bearer, Host: "127.0.0.1.evil.example" }, 421],
      ["localhost", { ...bearer, Host: `localhost:${port}` }, 200],
      ["IPv6", { ...bearer, Host: `[::1]:${port}` }, 200],
      ["the name of the proxy in front", { ...bearer, Host: "agents.example" }, 200],
    ];
    for (const [what, headers, status, path] of attacks) {
      const answer = await post(port, { path, headers });
      expect([what, answer.status]).toEqual([what, status]);
    }
    const upgrade = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const sockets: readonly [Record<string, string>, number][] = [
      [{}, 401],
      [{ "Sec-WebSocket-Protocol": "acp, wrong" }, 401],
      [{ "Sec-WebSocket-Protocol": `acp, ${token}` }, 101],
      [{ "Sec-WebSocket-Protocol": `acp, ${token}`, Origin: "https://evil.example" }, 403],
      [{ "Sec-WebSocket-Protocol": `acp, ${token}`, Host: "evil.example" }, 421],
    ];
    for (const [headers, status] of sockets)
      expect((await post(port, { method: "GET", headers: { ...upgrade, ...headers } })).status).toBe(status);
    // Whoever runs the server sees why, each reason once: a page does not.
    const refused = served.stderr().match(/^! Refused with .*$/gmu) ?? [];
    expect(new Set(refused).size).toBe(refused.length);
    for (const reason of [
      "401: The token",
      "403: Pages of https://evil.example",
      "421: This server is not evil.example",
    ])
      expect(refused.filter((line) => line.includes(reason))).toHaveLength(1);

    // A connection of somebody else, whose id has leaked.
    const opened = await post(port, { headers: bearer });
    const id = String(opened.headers["acp-connection-id"]);
    expect(id).toMatch(/^[\da-f-]{36}$/u);
    const stream = { "Acp-Connection-Id": id, Accept: "text/event-stream" };
    expect((await post(port, { method: "GET", headers: stream })).status).toBe(401);
    expect((await post(port, { method: "DELETE", headers: stream })).status).toBe(401);
    const unknown = { ...bearer, ...stream, "Acp-Connection-Id": "00000000-0000-4000-8000-000000000000" };
    expect((await post(port, { method: "GET", headers: unknown })).status).toBe(404);

    const preflight = { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization" };
    const asked = async (origin: string) =>
      post(port, { method: "OPTIONS", headers: { ...preflight, Origin: origin } });
    expect((await asked("https://evil.example")).status).toBe(403);
    expect(await asked("https://editor.example")).toMatchObject({
      status: 204,
      headers: {
        "access-control-allow-origin": "https://editor.example",
        "access-control-allow-headers": "authorization",
      },
    });
  });

  test("runs no more agents than it may", async () => {
    await using served = await serve(["--max-connections", "1"]);
    const headers = { Authorization: `Bearer ${served.token}` };
    const opened = await post(served.port, { headers });
    expect([opened.status, (await post(served.port, { headers })).status]).toEqual([200, 503]);
    const id = String(opened.headers["acp-connection-id"]);
    await post(served.port, { method: "DELETE", headers: { ...headers, "Acp-Connection-Id": id } });
    await expect.poll(async () => (await post(served.port, { headers })).status).toBe(200);
  });

  test.each([
    [["--port", "x", "--", "agent"], "--port cannot be 'x'. Use a number from 0 to 65535\n      --port <n>"],
    [["--token", "short", "--", "agent"], "--token is too short: use at least 16 characters"],
    [["--origin", "https://a.example/", "--", "agent"], "--origin cannot be 'https://a.example/'"],
    [["--allow", "--", "agent"], "There is nothing to allow. Add --files <dir> or --terminals"],
    [["--files", "/no/such/folder", "--", "agent"], "--files is not a directory: /no/such/folder"],
    [["--"], "The agent's command is missing"],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await run([clientProgram, "serve", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`acp serve: ${message}`);
  });

  test("reports that its port is taken", async () => {
    await using served = await serve();
    const { code, stderr } = await run([clientProgram, "serve", "--port", String(served.port), "--", process.execPath]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^acp serve: Cannot listen on 127\.0\.0\.1, port \d+: .*EADDRINUSE.*\n {2}Choose another port/u,
    );
  });
});

const initialize = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } });

/** A request as no browser would make it. */
function post(
  port: number,
  {
    path = "/acp",
    method = "POST",
    headers,
  }: { path?: string | undefined; method?: string; headers: Record<string, string> },
): Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]> }> {
  return new Promise((resolve, reject) => {
    const type = method === "POST" ? { "Content-Type": "application/json" } : {};
    const made = request({ port, host: "127.0.0.1", path, method, headers: { ...type, ...headers } });
    made.on("response", (response) => {
      resolve({ status: response.statusCode, headers: response.headers });
      response.destroy();
    });
    made.on("upgrade", (response, socket) => {
      resolve({ status: response.statusCode, headers: response.headers });
      socket.destroy();
    });
    made.on("error", reject);
    made.end(method === "POST" ? initialize : undefined);
  });
}
