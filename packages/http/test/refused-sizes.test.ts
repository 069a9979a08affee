// What one side does not take of the other: the message is lost, and the connection goes on.
import { createAgent, createClient, type Diagnostic } from "@acp/core";
import { afterEach, expect, test } from "vitest";

import { createHttpTransport } from "../src/client/http-transport.ts";
import { createHttpServer, type HttpServer } from "../src/server/http-server.ts";
import { fetchFrom } from "./support/in-process.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const diagnostics: Diagnostic[] = [];

async function connect(server: HttpServer, content: string): ReturnType<ReturnType<typeof createClient>["connect"]> {
  diagnostics.length = 0;
  const client = createClient({
    info: { name: "client", version: "1" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: { "fs/read_text_file": () => ({ content }) },
  });
  const connected = await client.connect(
    createHttpTransport("http://localhost/acp", { fetch: fetchFrom(server).fetch }),
  );
  ends.push(
    () => server.close(),
    () => connected.close(),
  );
  return connected;
}

test("an answer that is too large for the server becomes an error, and the turn continues", async () => {
  const failed: unknown[] = [];
  const agent = createAgent({
    info: { name: "agent", version: "1" },
    handlers: {
      "session/prompt": async (_params, { client, turn }) => {
        await client.request("fs/read_text_file", { path: "/large" }).catch((error: unknown) => failed.push(error));
        await turn.message("going on");
        return { stopReason: "end_turn" };
      },
    },
  });
  const connected = await connect(createHttpServer({ agent, maxMessageBytes: 100_000 }), "x".repeat(100_000));
  const session = await connected.newSession({ cwd: "/" });
  expect((await session.prompt("go").response).stopReason).toBe("end_turn");
  expect(failed).toMatchObject([{ wire: { code: -32603, message: expect.stringContaining("(maxMessageBytes)") } }]);
  expect(diagnostics.find(({ type }) => type === "framing")?.message).toContain("(maxMessageBytes)");
  expect((await session.prompt("again").response).stopReason).toBe("end_turn");
});

test("a client discards excessive messages of a server, and continues", async () => {
  const agent = createAgent({
    info: { name: "agent", version: "1" },
    handlers: {
      "session/prompt": async (_params, { client, turn }) => {
        await client.notify("_acme/evil" as never, { list: Array.from({ length: 700_000 }, () => []) } as never);
        await turn.message("going on");
        return { stopReason: "end_turn" };
      },
    },
  });
  const connected = await connect(createHttpServer({ agent }), "");
  const session = await connected.newSession({ cwd: "/" });
  expect((await session.prompt("go").response).stopReason).toBe("end_turn");
  expect(diagnostics.filter(({ type }) => type === "framing")).toMatchObject([
    { issue: { code: "message-too-complex" }, message: expect.stringContaining("maxMessageValues") },
  ]);
});
