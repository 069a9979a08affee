import { expect, test } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createByteTransport } from "../../src/transport/byte-transport.ts";
import { scriptedPipe } from "../../src/transport/testing/scripted-pipe.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createClient } from "../../src/v1/client.ts";
import { agentOfVersions } from "../../src/v2/versions/agent-of-versions.ts";
import { createAgent as createAgent2 } from "../../src/v2/agent.ts";

const info = { name: "test", version: "1.0.0" };
const opening = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}';

function ask(id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"_echo"}`;
}

interface Sent {
  readonly id: unknown;
  readonly error?: { readonly code: number };
}

function sentIds(pipe: { readonly writes: readonly string[] }): readonly unknown[] {
  const lines = pipe.writes.join("").trim().split("\n");
  return lines.map((text) => (JSON.parse(text) as Sent).id);
}

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const decorated: readonly [name: string, line: string, answered: readonly unknown[], rest: string][] = [
  ["a title of the terminal", `\u001b]0;my agent\u0007${ask(1)}`, [1], "\u001b]0;my agent\u0007"],
  ["colours around", `\u001b[32m${ask(1)}\u001b[0m`, [1], "\u001b[32m\u001b[0m"],
  ["a spinner", `⠋ busy\r⠙ busy\r${ask(1)}`, [1], "⠋ busy\r⠙ busy\r"],
  ["a log prefix with braces", `[debug] {"state":{}} {x ${ask(1)}`, [1], '[debug] {"state":{}} {x '],
  ["a prompt", `> ${ask(1)}`, [1], "> "],
  ["two messages", ask(1) + ask(2), [1, 2], ""],
  ["three messages and a mark", `${ask(1)}\ufeff${ask(2)} ${ask(3)}`, [1, 2, 3], "\ufeff "],
  ["garbage", "{] hello", ["null -32700"], "{] hello"],
  [
    "a message that is cut off",
    `${ask(1)}{"jsonrpc":"2.0","id":2,"me`,
    [1, "null -32700"],
    '{"jsonrpc":"2.0","id":2,"me',
  ],
];

const agents = {
  "version 1": (onDiagnostic: (diagnostic: Diagnostic) => void) =>
    createAgent({
      info,
      onDiagnostic,
      handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), _echo: () => ({}) },
    }),
  "two versions": (onDiagnostic: (diagnostic: Diagnostic) => void) =>
    agentOfVersions({
      v1: createAgent({
        info,
        onDiagnostic,
        handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), _echo: () => ({}) },
      }),
      v2: createAgent2({
        info,
        onDiagnostic,
        handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), _echo: () => ({}) },
      }),
    }),
};

for (const [kind, create] of Object.entries(agents)) {
  test.each(decorated)(`an agent of ${kind} reads %s`, async (_name, line, answered, rest) => {
    const pipe = scriptedPipe();
    const noise: string[] = [];
    create((diagnostic) => {
      if (diagnostic.type === "noise") noise.push(diagnostic.received);
    }).connect(createByteTransport(pipe));
    pipe.receive(`${opening}\n`);
    await turnOfLoop();
    pipe.receive(`${line}\n`);
    await turnOfLoop();
    const sent: readonly Sent[] = pipe.writes
      .join("")
      .trim()
      .split("\n")
      .map((text): Sent => JSON.parse(text));
    expect(sent.slice(1).map(({ id, error }) => (error ? `${String(id)} ${error.code}` : id))).toEqual(answered);
    expect(noise).toEqual([rest]);
  });

  test(`an agent of ${kind} reads messages after initialize on the same line, once`, async () => {
    const pipe = scriptedPipe();
    create(() => {}).connect(createByteTransport(pipe));
    pipe.receive(`\u001b]0;editor\u0007${opening}${ask(1)}${ask(2)}\n`);
    await turnOfLoop();
    const sent: readonly Sent[] = pipe.writes
      .join("")
      .trim()
      .split("\n")
      .map((text): Sent => JSON.parse(text));
    expect(sent.map(({ id, error }) => (error ? `${String(id)} ${error.code}` : id))).toEqual([0, 1, 2]);
  });
}

test("a client reads answers and updates after decorations, and answers no noise", async () => {
  const pipe = scriptedPipe();
  const noise: string[] = [];
  const client = createClient({
    info,
    onDiagnostic: (diagnostic) => {
      if (diagnostic.type === "noise") noise.push(diagnostic.received);
    },
  });
  const connecting = client.connect(createByteTransport(pipe));
  await turnOfLoop();
  pipe.receive(
    `\u001b]0;agent\u0007{"jsonrpc":"2.0","id":${String(sentIds(pipe).at(-1))},"result":{"protocolVersion":1,"agentCapabilities":{}}}\u001b[0m\n`,
  );
  const agent = await connecting;
  expect(agent.protocolVersion).toBe(1);
  const opened = agent.newSession({ cwd: "/" });
  await turnOfLoop();
  const update = '"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}';
  pipe.receive(
    `INFO {"jsonrpc":"2.0","id":${String(sentIds(pipe).at(-1))},"result":{"sessionId":"s"}}{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s",${update}}}\n`,
  );
  const session = await opened;
  const first = await session.updates[Symbol.asyncIterator]().next();
  expect(first.value).toMatchObject({ content: { text: "hi" } });
  expect(noise).toEqual(["\u001b]0;agent\u0007\u001b[0m", "INFO "]);
  await agent.close();
});
