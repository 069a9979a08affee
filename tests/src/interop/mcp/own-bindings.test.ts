// Bindings that are not ACP's: decoders and validators of a schema of our own for the messages of MCP, on those that the
// official SDK of MCP exchanges.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emitValidators, generate, parseSchemaDocument } from "@acp/codegen";
import { decode, type Decoder } from "@acp/schema";
import { type Compiled, createValidators, runtime, type Runtime } from "@acp/validators/runtime";
import { Client } from "@modelcontextprotocol/client";
import { fromJsonSchema, InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../../support/packages.ts";

// Inside this package, so that the names of the packages resolve.
const base = mkdtempSync(join(root, "tests/dist/.own-bindings-"));
afterAll(() => rmSync(base, { recursive: true }));

interface Bindings {
  readonly decoders: Readonly<Record<string, Decoder<unknown>>>;
  readonly validate: (definition: string, value: unknown) => { readonly ok: boolean };
}

let bindings: Bindings;

beforeAll(async () => {
  const path = "codegen/src/testing/forms/message-protocol.json";
  const document = parseSchemaDocument(readFileSync(join(root, path), "utf8"), path);
  const { files } = await generate({ schema: { path, document }, source: path, runtime: "@acp/schema" });
  for (const [name, text] of Object.entries({ ...files, ...(await emitValidators(document)) })) {
    writeFileSync(join(base, name), text);
  }
  const { compile }: { compile: (runtime: Runtime) => Compiled } = await import(join(base, "validators.js"));
  bindings = { decoders: await import(join(base, "decoders.ts")), ...createValidators(compile(runtime)) };
});

/** What a client and a server of the official SDK say to each other when the client uses each kind of tool. */
async function exchange(): Promise<{ readonly client: readonly unknown[]; readonly server: readonly unknown[] }> {
  const said = { client: [] as unknown[], server: [] as unknown[] };
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  for (const [side, transport] of [
    ["client", clientSide],
    ["server", serverSide],
  ] as const) {
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      said[side].push(JSON.parse(JSON.stringify(message)));
      await send(message, options);
    };
  }
  const server = new McpServer({ name: "tools", title: "Tools", version: "1.0.0" });
  const inputSchema = fromJsonSchema<{ path: string }>({ type: "object", properties: { path: { type: "string" } } });
  server.registerTool(
    "read",
    { description: "Reads", inputSchema, annotations: { readOnlyHint: true } },
    ({ path }) => ({
      content: [
        { type: "text", text: path, annotations: { audience: ["user"], priority: 1 } },
        { type: "image", data: "aGk=", mimeType: "image/png" },
        { type: "resource_link", uri: "file:///a.txt", name: "a.txt" },
      ],
      structuredContent: { path },
    }),
  );
  server.registerTool("fail", { description: "Fails" }, () => {
    throw new Error("it is broken");
  });
  const client = new Client({ name: "editor", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  await Promise.all([client.connect(clientSide), server.connect(serverSide)]);
  await client.listTools();
  await client.callTool({ name: "read", arguments: { path: "a.txt" } }, { onprogress: () => {} });
  await client.callTool({ name: "fail", arguments: {} });
  await client.callTool({ name: "none", arguments: {} }).catch(() => {});
  await client.close();
  return said;
}

test("decoders and validators of a schema for MCP accept the official MCP SDK's messages", async () => {
  const said = await exchange();
  expect(said.client.length).toBeGreaterThanOrEqual(6);
  expect(said.server.length).toBeGreaterThanOrEqual(5);
  for (const [definition, messages] of [
    ["ClientMessage", said.client],
    ["ServerMessage", said.server],
  ] as const) {
    for (const message of messages) {
      expect(decode(bindings.decoders[`decode${definition}`]!, message)).toEqual({
        ok: true,
        value: message,
        issues: [],
      });
      expect(bindings.validate(definition, message), JSON.stringify(message)).toEqual({ ok: true });
    }
  }
});

test("they reject an invalid message, and report its path", () => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: 5 } };
  expect(decode(bindings.decoders["decodeClientMessage"]!, call)).toMatchObject({
    ok: false,
    path: ["params", "name"],
  });
  expect(bindings.validate("ClientMessage", call)).toEqual({
    ok: false,
    errors: [{ path: "/params/name", reason: "expected a string, got a number" }],
  });
});
