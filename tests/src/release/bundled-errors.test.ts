// Bundlers rename classes, and put two copies of the toolkit into a program as soon as two versions of it are installed.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";

import { root, run } from "../support/packages.ts";

// Inside this package, so that the names of the packages resolve as they do for whoever installed them.
const base = mkdtempSync(join(root, "tests/node_modules/.errors-"));
afterAll(() => rmSync(base, { recursive: true }));

/** A minified module that has everything in it. */
async function bundle(name: string, contents: string): Promise<void> {
  const options = { bundle: true, minify: true, format: "esm", platform: "node", logLevel: "silent" } as const;
  await build({ ...options, stdin: { contents, resolveDir: base }, outfile: join(base, name) });
}

async function outputOf(program: string): Promise<unknown> {
  writeFileSync(join(base, "program.mjs"), program);
  return JSON.parse(await run(process.execPath, ["program.mjs"], base));
}

test("errors have the names of their classes in a minified bundle", async () => {
  const entries = ["@acp/core", "@acp/core/elicitation", "@acp/node"];
  const reexports = entries.map((entry) => `export * from "${entry}";`).join("\n");
  await bundle("all.mjs", `${reexports}\nexport { MessageTooLargeError as FramedTooLarge } from "@acp/framing";`);
  const found = await outputOf(`import * as all from "./all.mjs";
const classes = Object.entries(all).filter(([, each]) => typeof each === "function" && each.prototype instanceof Error);
// What fits the first parameter of each of them: problems, and an error object of JSON-RPC.
const data = Object.assign([{ path: [], reason: "is odd" }], { code: -32603, message: "is odd" });
const made = classes.map(([name, each]) => [name, name === "AcpError" ? name : new each(data, [], "", "").name]);
console.log(JSON.stringify(Object.fromEntries(made)));
`);
  expect(found).toEqual({
    ...Object.fromEntries(
      [
        ["AcpError", "RequestError", "ConnectionClosedError", "ProcessExitError", "TimeoutError", "ProtocolError"],
        [
          "CapabilityError",
          "MessageTooLargeError",
          "UsageError",
          "FormContentError",
          "ProcessStartError",
          "LoginError",
          "UnreadUpdatesError",
        ],
      ]
        .map((names) => names.map((name) => [name, name] as const))
        .flat(),
    ),
    FramedTooLarge: "MessageTooLargeError",
  });
});

test("the errors of one copy are those of another", async () => {
  await bundle("ours.mjs", 'export * from "@acp/core"; export * from "@acp/core/agent";');
  await bundle("theirs.mjs", 'export { fileSystem, spawnAgent } from "@acp/node";');
  const found =
    await outputOf(`import { AcpError, createAgent, createClient, createMemoryTransportPair, isNotFound } from "./ours.mjs";
import { fileSystem, spawnAgent } from "./theirs.mjs";
const found = {};
const info = { name: "x", version: "1" };
const agent = createAgent({
  info,
  handlers: {
    "session/prompt": async (_params, { client, session }) => {
      try {
        await client.request("fs/read_text_file", { path: session.cwd + "/missing.txt" });
      } catch (error) {
        found.read = [error.wire.code, isNotFound(error)];
      }
      return { stopReason: "end_turn" };
    },
  },
});
const client = createClient({ info, handlers: fileSystem() });
const [ours, theirs] = createMemoryTransportPair();
agent.connect(theirs);
const connected = await client.connect(ours);
await (await connected.newSession({ cwd: import.meta.dirname })).prompt("go").response;
await connected.close();
try {
  await spawnAgent(client, { command: "no-such-program" });
} catch (error) {
  found.spawn = [error.name, error instanceof AcpError];
}
console.log(JSON.stringify(found));
`);
  expect(found).toEqual({ read: [-32002, true], spawn: ["ProcessStartError", true] });
});

test("the parts of framing and schema in core are as good as those packages", async () => {
  const found =
    await outputOf(`import { createAgent, createByteTransport, createClient, createMemoryTransportPair, MessageTooLargeError as CalledTooLarge } from "@acp/core";
import { contentLength, MessageTooLargeError } from "@acp/framing";
import { decode, unknownVariant } from "@acp/schema";
import { decodeSessionUpdate } from "@acp/schema/v1";
const found = { sent: [] };
const pipe = { start() {}, pause() {}, resume() {}, write() {}, close: async () => {} };
const limit = { maxMessageBytes: 100 };
for (const framing of [undefined, contentLength]) {
  try {
    createByteTransport(pipe, { ...limit, framing }).send("x".repeat(101));
  } catch (error) {
    found.sent.push(error instanceof MessageTooLargeError && [error.bytes, error.limit]);
  }
}
const title = "x".repeat(100);
try {
  await createClient({ info: { name: "x", title, version: "1" } }).connect(createByteTransport(pipe, { ...limit, framing: contentLength }));
} catch (error) {
  found.called = error instanceof CalledTooLarge && [error.method, error.limit];
}
found.other = [new Error("no"), { code: "message_too_large" }, null].map((each) => each instanceof MessageTooLargeError);
class Own extends MessageTooLargeError {}
found.extended = [new Own(2, 1) instanceof MessageTooLargeError, new MessageTooLargeError(2, 1) instanceof Own];
const info = { name: "x", version: "1" };
const agent = createAgent({
  info,
  handlers: {
    "session/prompt": async ({ sessionId }, { client }) => {
      await client.notify("session/update", { sessionId, update: { sessionUpdate: "_hologram" } });
      return { stopReason: "end_turn" };
    },
  },
});
const [ours, theirs] = createMemoryTransportPair();
agent.connect(theirs);
const connected = await createClient({ info }).connect(ours);
for await (const update of (await connected.newSession({ cwd: import.meta.dirname })).prompt("go").updates) {
  found.unknown = update.sessionUpdate === unknownVariant;
  found.decoded = decode(decodeSessionUpdate, update.received).value.sessionUpdate === unknownVariant;
}
await connected.close();
console.log(JSON.stringify(found));
`);
  expect(found).toEqual({
    sent: [
      [101, 100],
      [101, 100],
    ],
    called: ["initialize", 100],
    other: [false, false, false],
    extended: [true, false],
    unknown: true,
    decoded: true,
  });
});
