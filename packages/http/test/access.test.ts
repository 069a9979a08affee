import { createAgent, type Diagnostic } from "@acp/core";
import { expect, test } from "vitest";

import { asked, endpoint, initialize, open, posted } from "./support/in-process.ts";
import { createHttpServer } from "../src/server/http-server.ts";

const agentNamed = (name: string): ReturnType<typeof createAgent> =>
  createAgent({ info: { name, version: "1" }, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } });
const agent = agentNamed("agent");

test("pages may use a server only if their origin is allowed, under any name of the server", async () => {
  await using server = createHttpServer({ agent, allowedOrigins: ["https://editor.example"] });
  const from = async (origin: string): Promise<Response> => await server.handle(posted(initialize, { Origin: origin }));
  for (const origin of ["https://evil.example", "http://localhost", "null"]) {
    const refused = await from(origin);
    expect([refused.status, refused.headers.get("Access-Control-Allow-Origin")]).toEqual([403, null]);
    const upgrade = new Request(endpoint, { headers: { Upgrade: "websocket", Origin: origin } });
    expect(await server.upgrade(upgrade)).toMatchObject({ status: 403 });
  }
  expect(server.connections).toBe(0);
  const allowed = await from("https://editor.example");
  expect(allowed.status).toBe(200);
  expect(Object.fromEntries(allowed.headers)).toMatchObject({
    "access-control-allow-origin": "https://editor.example",
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "Acp-Connection-Id, Acp-Message-Number",
    vary: "Origin",
  });
});

test("a browser's preflight request learns which headers a page may send", async () => {
  await using server = createHttpServer({ agent, allowedOrigins: ["https://editor.example"] });
  const preflight = (origin: string): Request =>
    new Request(endpoint, {
      method: "OPTIONS",
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "acp-connection-id,content-type",
      },
    });
  const response = await server.handle(preflight("https://editor.example"));
  expect(response.status).toBe(204);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "access-control-allow-origin": "https://editor.example",
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers": "acp-connection-id,content-type",
  });
  expect((await server.handle(preflight("https://evil.example"))).status).toBe(403);
});

test("no page may use a server that names no origins", async () => {
  await using server = createHttpServer({ agent });
  expect((await server.handle(posted(initialize, { Origin: "http://localhost" }))).status).toBe(403);
});

test("authorize refuses requests, and says to the agent's factory who makes them", async () => {
  await using server = createHttpServer({
    authorize: (request) => {
      const user = /^Bearer (\w+)$/.exec(request.headers.get("Authorization") ?? "")?.[1];
      return user === undefined ? new Response("Who are you?", { status: 401 }) : { user };
    },
    agent: (request, { user }) => agentNamed(`${user} at ${new URL(request.url).pathname}`),
  });
  const refused = await server.handle(posted(initialize));
  expect([refused.status, await refused.text()]).toEqual([401, "Who are you?"]);
  const response = await server.handle(posted(initialize, { Authorization: "Bearer ada" }));
  expect(await response.json()).toMatchObject({ result: { agentInfo: { name: "ada at /acp" } } });
  const connection = { "Acp-Connection-Id": response.headers.get("Acp-Connection-Id") ?? "" };
  expect((await server.handle(asked(connection))).status).toBe(401);
  expect((await server.handle(new Request(endpoint, { method: "DELETE", headers: connection }))).status).toBe(401);
});

test("authorize refuses with a Response of another implementation as well, and never lets in by one", async () => {
  const words = { status: 401, headers: new Headers(), body: null, bodyUsed: false, [Symbol.toStringTag]: "Response" };
  await using server = createHttpServer({ authorize: () => words as unknown as Response, agent });
  expect((await server.handle(posted(initialize))).status).toBe(401);
  expect(server.connections).toBe(0);
});

test("authorize cannot refuse twice with the same Response: the second attempt is answered with 500, and reported", async () => {
  const told: Diagnostic[] = [];
  const refusal = new Response("Who are you?", { status: 401 });
  await using server = createHttpServer({
    authorize: () => refusal,
    agent,
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  expect(await (await server.handle(posted(initialize))).text()).toBe("Who are you?");
  expect((await server.handle(posted(initialize))).status).toBe(500);
  expect(told.map(({ message }) => message)).toEqual([
    expect.stringContaining("authorize returned a Response that was sent before: make a new one for each request"),
  ]);
});

const upgrading = (headers: Record<string, string> = {}): Request =>
  new Request(endpoint, { headers: { Upgrade: "websocket", ...headers } });

test.each([
  undefined,
  null,
  false,
  "",
  0,
  Number.NaN,
  "ada",
  7,
  7n,
  [],
  ["ada"],
  () => true,
  new Error("Who are you?"),
])("authorize admits nobody by %s", async (value) => {
  const made: unknown[] = [];
  await using server = createHttpServer({
    authorize: () => value as undefined,
    agent: (_request, identity) => {
      made.push(identity);
      return agent;
    },
  });
  for (const request of [posted(initialize), asked({ "Acp-Connection-Id": "x" })])
    expect((await server.handle(request)).status).toBe(401);
  expect(await server.upgrade(upgrading())).toMatchObject({ status: 401 });
  expect([server.connections, made]).toEqual([0, []]);
});

test("a look-up of the sender's token admits those it finds, and nobody else", async () => {
  const users = new Map([["secret", { name: "ada" }]]);
  await using server = createHttpServer({
    authorize: (request) => users.get(request.headers.get("Authorization") ?? ""),
    agent: (_request, { name }) => agentNamed(name),
  });
  const guesses: readonly Record<string, string>[] = [{}, { Authorization: "" }, { Authorization: "guess" }];
  const answers = guesses.map((headers) => server.handle(posted(initialize, headers)));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 401, 401]);
  const admitted = await server.handle(posted(initialize, { Authorization: "secret" }));
  expect(await admitted.json()).toMatchObject({ result: { agentInfo: { name: "ada" } } });
});

test("an error with a status that clients may see is the answer to the request", async () => {
  const full = Object.assign(new Error("Come back later"), { status: 503, expose: true });
  let error: object = full;
  await using server = createHttpServer({ agent: () => Promise.reject(error as Error) });
  const answer = await server.handle(posted(initialize));
  expect([answer.status, await answer.text()]).toEqual([503, "Come back later"]);
  expect(await server.upgrade(upgrading())).toMatchObject({ status: 503 });
  for (const other of [
    { status: 503 },
    { expose: true },
    { status: 200, expose: true },
    { status: "503", expose: true },
  ]) {
    error = Object.assign(new Error("secret"), other);
    const hidden = await server.handle(posted(initialize));
    expect([hidden.status, await hidden.text()]).toEqual([500, expect.not.stringContaining("secret")]);
  }
  expect(server.connections).toBe(0);
});

test("authorize that throws or rejects refuses with 500, and the diagnostics have the error", async () => {
  const told: Diagnostic[] = [];
  const error = new Error("The database is gone");
  let fail = (): undefined | Promise<undefined> => {
    throw error;
  };
  await using server = createHttpServer({
    authorize: () => fail(),
    agent,
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  expect((await server.handle(posted(initialize))).status).toBe(500);
  fail = async () => Promise.reject(error);
  const answer = await server.handle(posted(initialize));
  expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining("database")]);
  expect(await server.upgrade(upgrading())).toMatchObject({ status: 500 });
  expect(told).toMatchObject([{ error }, { error }, { error }]);
  expect(server.connections).toBe(0);
});

test("a mistaken return value of authorize is reported to the operator, and undefined is an ordinary answer", async () => {
  const told: Diagnostic[] = [];
  let value: unknown;
  await using server = createHttpServer({
    authorize: () => value as undefined,
    agent,
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  for (value of [undefined, null, false]) await server.handle(posted(initialize));
  expect(told).toEqual([]);
  for (value of ["ada", []]) await server.handle(posted(initialize));
  expect(told).toMatchObject([
    { type: "refused", status: 401, message: expect.stringContaining("authorize returned a string") },
    { type: "refused", status: 401, message: expect.stringContaining("authorize returned an array") },
  ]);
});

test("a connection belongs to the identity that opened it: others get the answer for an unknown connection", async () => {
  const told: Diagnostic[] = [];
  await using server = createHttpServer({
    // A new object for each request, as most programs make.
    authorize: async (request) => ({ user: request.headers.get("Authorization"), scopes: ["all"] }),
    agent,
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  const as = (user: string, id: string): Record<string, string> => ({ Authorization: user, "Acp-Connection-Id": id });
  const opened = await server.handle(posted(initialize, { Authorization: "ada" }));
  const id = opened.headers.get("Acp-Connection-Id") ?? "";
  const newSession = { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } };
  const requests = (headers: Record<string, string>): readonly Request[] => [
    posted(newSession, headers),
    asked(headers),
    asked({ ...headers, "Acp-Session-Id": "s1" }),
    new Request(endpoint, { method: "DELETE", headers }),
  ];
  const answersTo = async (headers: Record<string, string>): Promise<unknown[]> => {
    const answers: unknown[] = [];
    for (const request of requests(headers)) {
      const { status, body } = await server.handle(request);
      answers.push(status);
      await body?.cancel();
    }
    return answers;
  };
  expect(await answersTo(as("bob", id))).toEqual([404, 404, 404, 404]);
  expect(await (await server.handle(asked(as("bob", id)))).text()).toBe(
    await (await server.handle(asked(as("bob", "of nobody")))).text(),
  );
  expect(told).toHaveLength(5);
  expect(told[0]).toMatchObject({ type: "refused", status: 404, message: expect.stringContaining("sameIdentity") });
  expect(server.connections).toBe(1);
  expect(await answersTo(as("ada", id))).toEqual([202, 200, 200, 202]);
  expect(told).toHaveLength(5);
});

test("the body of a request for a connection of somebody else is not read", async () => {
  await using server = createHttpServer({
    authorize: (request) => ({ user: request.headers.get("Authorization") }),
    agent,
  });
  const opened = await server.handle(posted(initialize, { Authorization: "ada" }));
  let pulled = 0;
  for (const id of [opened.headers.get("Acp-Connection-Id") ?? "", "of nobody"]) {
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled++;
          controller.enqueue(new Uint8Array(1000));
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { Authorization: "bob", "Acp-Connection-Id": id, "Content-Type": "application/json" };
    const request = new Request(endpoint, { method: "POST", headers, body, duplex: "half" } as RequestInit);
    expect((await server.handle(request)).status).toBe(404);
  }
  expect(pulled).toBe(0);
});

test("sameIdentity decides for objects of a class, and only by true", async () => {
  class User {
    readonly name: string;
    constructor(name: string) {
      this.name = name;
    }
  }
  let says: unknown;
  await using server = createHttpServer({
    authorize: (request) => new User(request.headers.get("Authorization") ?? ""),
    sameIdentity: (owner, sender) => (says ?? owner.name === sender.name) as boolean,
    agent,
  });
  const opened = await server.handle(posted(initialize, { Authorization: "ada" }));
  const connection = { "Acp-Connection-Id": opened.headers.get("Acp-Connection-Id") ?? "" };
  const statusFor = async (user: string): Promise<number> => {
    const { status, body } = await server.handle(asked({ ...connection, Authorization: user }));
    await body?.cancel();
    return status;
  };
  expect([await statusFor("bob"), await statusFor("ada")]).toEqual([404, 200]);
  for (says of [1, "yes", Promise.resolve(true)]) expect(await statusFor("ada")).toBe(404);
});

test("without sameIdentity, objects of a class are the same by reference only", async () => {
  class User {
    readonly name: string = "ada";
  }
  const known = new User();
  let user = known;
  await using server = createHttpServer({ authorize: () => user, agent });
  const connection = await open(server);
  const statusNow = async (): Promise<number> => {
    const { status, body } = await server.handle(asked(connection));
    await body?.cancel();
    return status;
  };
  expect(await statusNow()).toBe(200);
  user = new User();
  expect(await statusNow()).toBe(404);
});

test("the handlers of an agent see who uses it, over HTTP and a WebSocket", async () => {
  const seen: string[] = [];
  await using server = createHttpServer({
    authorize: (request) => ({ user: request.headers.get("Authorization") ?? "nobody" }),
    agent: (_request, { user }) =>
      createAgent({
        info: { name: "agent", version: "1" },
        connected: () => void seen.push(user),
        handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
      }),
  });
  await server.handle(posted(initialize, { Authorization: "ada" }));
  const upgrade = await server.upgrade(upgrading({ Authorization: "bob" }));
  if (upgrade instanceof Response) throw new Error(await upgrade.text());
  const socket = new EventTarget();
  upgrade.accept(Object.assign(socket, { readyState: 1, send: () => {}, close: () => {} }));
  socket.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(initialize) }));
  await expect.poll(() => seen).toEqual(["ada", "bob"]);
  // The id of a WebSocket opens nothing over HTTP.
  const id = upgrade.headers["Acp-Connection-Id"] ?? "";
  expect((await server.handle(asked({ Authorization: "bob", "Acp-Connection-Id": id }))).status).toBe(404);
  socket.dispatchEvent(Object.assign(new Event("close"), { code: 1000 }));
});

test("createHttpServer() refuses an authorize that it could not call: it would admit everybody or nobody", () => {
  for (const name of ["authorize", "sameIdentity"])
    for (const value of [true, "ada", {}])
      expect(() => createHttpServer({ agent, [name]: value })).toThrow(`${name} is no function`);
});

test("createHttpServer() refuses origins that no page can have", () => {
  for (const origin of ["https://editor.example/", "editor.example", "*", "https://*.example", ""])
    expect(() => createHttpServer({ agent, allowedOrigins: [origin] })).toThrow(
      `${origin} of allowedOrigins is no origin: expected scheme, host and port alone, as https://editor.example`,
    );
  for (const origin of ["http://localhost:3000", "vscode-webview://0a1b", "null", "https://[::1]:8080"])
    expect(createHttpServer({ agent, allowedOrigins: [origin] }).connections).toBe(0);
});
