import { createAgent, type Diagnostic } from "@acp/core";
import { expect, test } from "vitest";

import { asked, endpoint, initialize, posted } from "./support/in-process.ts";
import { createHttpServer } from "../src/server/http-server.ts";

const agentNamed = (name: string): ReturnType<typeof createAgent> =>
  createAgent({ info: { name, version: "1" }, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } });
const agent = agentNamed("agent");

test("pages may use a server only if their origin is allowed, whatever they call the server", async () => {
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

test("a browser that asks before it posts is told what a page may send", async () => {
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

test("authorize cannot refuse twice with the same Response: the second is answered with 500, and told", async () => {
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

test("authorize refuses by false as well", async () => {
  await using server = createHttpServer({
    authorize: (request) => request.headers.get("Authorization") === "Bearer secret",
    agent,
  });
  expect((await server.handle(posted(initialize))).status).toBe(403);
  expect(await server.upgrade(new Request(endpoint, { headers: { Upgrade: "websocket" } }))).toMatchObject({
    status: 403,
  });
  expect((await server.handle(posted(initialize, { Authorization: "Bearer secret" }))).status).toBe(200);
});

test("createHttpServer() refuses origins that no page can have", () => {
  for (const origin of ["https://editor.example/", "editor.example", "*", "https://*.example", ""])
    expect(() => createHttpServer({ agent, allowedOrigins: [origin] })).toThrow(
      `${origin} of allowedOrigins is no origin: expected scheme, host and port alone, as https://editor.example`,
    );
  for (const origin of ["http://localhost:3000", "vscode-webview://0a1b", "null", "https://[::1]:8080"])
    expect(createHttpServer({ agent, allowedOrigins: [origin] }).connections).toBe(0);
});
