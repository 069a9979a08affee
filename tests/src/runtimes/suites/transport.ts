import { createClient, type Diagnostic } from "@acp/core";

import { eventually, expectEqual, expectTrue, rejectionOf, sleep } from "../check.ts";
import { process, programOn } from "../platform.ts";
import { RawAgent } from "../raw-agent.ts";
import { type Scenario, test } from "../scenario.ts";
import { textOf } from "../turn-text.ts";

const client = createClient({ info: { name: "test-client", version: "1" }, handlers: {} });
const size = 50_000_000;

export const scenarios: readonly Scenario[] = [
  test("a message of 50 MB arrives whole, in both directions", async ({ runtime, runtimeName, directory }) => {
    const agent = await runtime.spawnAgent(client, programOn(runtimeName, "agent"));
    const session = await agent.newSession({ cwd: directory });
    const prompt = [
      { type: "text" as const, text: "length" },
      { type: "text" as const, text: "é".repeat(size / 2) },
    ];
    expectEqual(await textOf(session.prompt(prompt)), String(size / 2));
    const text = await textOf(session.prompt(`big ${size}`));
    expectTrue(text.length === size && text.startsWith("xxx"), "all of it came");
    await agent.close();
  }),
  test("10,000 small writes are read as the messages they make", async (context) => {
    const agent = new RawAgent(context);
    const sessionId = await agent.openSession();
    const prompt = [
      { type: "text", text: "length" },
      { type: "text", text: "☃".repeat(5_000) },
    ];
    const params = { sessionId, prompt };
    const bytes = new TextEncoder().encode(
      `${JSON.stringify({ jsonrpc: "2.0", id: "small", method: "session/prompt", params })}\n`,
    );
    const step = Math.floor(bytes.length / 10_000);
    for (let from = 0; from < bytes.length; from += step) agent.write(bytes.subarray(from, from + step));
    await eventually(() => agent.lines.some((line) => line.includes('"small"')), "the answer");
    expectTrue(
      agent.lines.some((line) => line.includes('"5000"')),
      "nothing was lost",
    );
    agent.end();
    expectEqual(await agent.ended, 0);
  }),
  test("10,000 updates that nobody waits for arrive in order", async ({ runtime, runtimeName, directory }) => {
    const agent = await runtime.spawnAgent(client, programOn(runtimeName, "agent"));
    const session = await agent.newSession({ cwd: directory });
    const expected = Array.from({ length: 10_000 }, (_, index) => `${index} `).join("");
    expectTrue((await textOf(session.prompt("burst 10000"))) === expected, "all of them, in order");
    await agent.close();
  }),
  test("1,000 calls one after another are answered, as are larger messages, or more, between them", async ({
    runtime,
    runtimeName,
    directory,
  }) => {
    const agent = await runtime.spawnAgent(client, programOn(runtimeName, "agent"));
    const session = await agent.newSession({ cwd: directory });
    const large = [
      { type: "text" as const, text: "length" },
      { type: "text" as const, text: "\u2603".repeat(100_000) },
    ];
    for (let call = 1; call <= 1_000; call += 1) {
      const { stopReason } = await session.prompt("nothing").response;
      expectEqual(stopReason, "end_turn");
      if (call % 100 !== 0) continue;
      expectEqual(await textOf(session.prompt(large)), "100000");
      const others = await Promise.all(Array.from({ length: 20 }, () => agent.newSession({ cwd: directory })));
      expectEqual(new Set(others.map(({ id }) => id)).size, 20, "sessions");
    }
    await agent.close();
  }),
  test("bytes that are not UTF-8 cost their line, not the connection", async (context) => {
    const agent = new RawAgent(context);
    agent.write(Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d, 0x0a, 0x00, 0xc3, 0x0a));
    await agent.openSession();
    agent.end();
    expectEqual(await agent.ended, 0);
    const { runtime, runtimeName, directory } = context;
    const diagnostics: Diagnostic[] = [];
    const unruly = await runtime.spawnAgent(client, {
      ...programOn(runtimeName, "unruly", ["--noise"]),
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    await unruly.newSession({ cwd: directory });
    await unruly.close();
    expectTrue(diagnostics.length >= 2, "both lines were told of");
  }),
  test("every character arrives as it was sent, including the replacement character", async ({
    runtime,
    runtimeName,
    directory,
  }) => {
    const agent = await runtime.spawnAgent(client, programOn(runtimeName, "agent"));
    const session = await agent.newSession({ cwd: directory });
    for (const text of [
      "plain",
      "\ufffd",
      "a\ufffdb\u20ac",
      "\ufeff at the beginning",
      "\u00e9\u{1f600}\u0000\u2028",
      "\ud800",
    ]) {
      const echo: string = await textOf(
        session.prompt([
          { type: "text", text: "echo" },
          { type: "text", text },
        ]),
      );
      expectEqual(echo, text);
    }
    await agent.close();
  }),
  test("TRAN-09: 10 MB on stderr hold nothing up, on neither side", async ({ runtime, runtimeName, directory }) => {
    let bytes = 0;
    const agent = await runtime.spawnAgent(client, {
      ...programOn(runtimeName, "unruly", ["--stderr-bytes", "10485760"]),
      onStderr: (line) => (bytes += line.length + 1),
    });
    await agent.newSession({ cwd: directory });
    await eventually(() => bytes === 10_485_760, "every byte was delivered");
    await agent.close();
  }),
  test("a client that does not keep up stops its agent, instead of storing its messages", async ({
    runtime,
    runtimeName,
    directory,
  }) => {
    let handled = 0;
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = createClient({
      info: { name: "test-client", version: "1" },
      handlers: {
        "session/update": () => {
          handled += 1;
          return held;
        },
      },
    });
    const agent = await runtime.spawnAgent(slow, programOn(runtimeName, "agent"));
    const session = await agent.newSession({ cwd: directory });
    const before = process.memoryUsage().rss;
    // 300 MB, if nobody stopped it.
    const rejection = rejectionOf(session.prompt("flood 300000").response);
    await eventually(() => handled > 0, "the first update");
    await sleep(1_000);
    const grown = process.memoryUsage().rss - before;
    expectTrue(grown < 100e6, `memory stays bounded, but grew by ${grown} bytes`);
    expectEqual(handled, 1, "updates handled");
    goOn();
    await agent.close();
    await rejection;
  }),
];
