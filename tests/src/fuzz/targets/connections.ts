import { AcpError, createAgent, createClient, type Diagnostic, type Peer } from "@acp/core";
import { createAgent as createAgent2, createClient as createClient2 } from "@acp/core/v2";

import type { Version } from "../../faults/steps.ts";
import { Choices } from "../inputs/choices.ts";
import { examples } from "../inputs/examples.ts";
import { settled, textOf, Wire } from "../inputs/wire.ts";
import { expectTrue, type Target } from "../target.ts";

const info = { name: "fuzzed", version: "1" };
const most = 6;

interface Sent {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: { readonly sessionId?: string };
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

/** What was sent, all of it messages of JSON-RPC. */
function sentBy(wire: Wire): readonly Sent[] {
  return wire.sent.map((text) => {
    expectTrue(!/[\r\n]/u.test(text), "A message has a line break");
    const message = JSON.parse(text) as Sent;
    expectTrue(message.jsonrpc === "2.0", `It sent ${text.slice(0, 200)}`);
    const { error } = message;
    const isRight = error === undefined || (Number.isInteger(error.code) && typeof error.message === "string");
    expectTrue(isRight, `It sent the error ${text.slice(0, 200)}`);
    return message;
  });
}

function answersTo(wire: Wire, id: unknown): readonly Sent[] {
  return sentBy(wire).filter((message) => message.method === undefined && message.id === id);
}

/** Sends the texts of an input. The number of diagnostics and answers stays in proportion to them. */
async function attack(
  wire: Wire,
  choices: Choices,
  version: Version,
  diagnostics: readonly Diagnostic[],
): Promise<void> {
  const before = wire.sent.length + diagnostics.length;
  let size = 0;
  for (let count = 0; count < most && choices.left; count++) {
    const open = sentBy(wire).flatMap(({ id, method }) => (method === undefined ? [] : [id]));
    const text = textOf(choices, examples[version], open);
    size += text.length;
    wire.receive(text);
    await settled();
  }
  const caused = wire.sent.length + diagnostics.length - before;
  expectTrue(caused <= 20 * most + size / 20, `${size} characters cause ${caused} messages and diagnostics`);
  for (const { message } of diagnostics)
    expectTrue(message.length <= 6_000, `A diagnostic has ${message.length} characters`);
}

/** Asks what every side answers, and gets exactly one answer. */
async function probe(wire: Wire): Promise<void> {
  wire.receive('{"jsonrpc":"2.0","id":"the probe","method":"_echo","params":{"probe":1}}');
  await settled();
  const answers = answersTo(wire, "the probe");
  expectTrue(
    JSON.stringify(answers) === '[{"jsonrpc":"2.0","id":"the probe","result":{"probe":1}}]',
    `The probe gets ${JSON.stringify(answers)}`,
  );
}

const echo = (params: unknown): unknown => params ?? {};

function agentFor(version: Version, onDiagnostic: (diagnostic: Diagnostic) => void): ReturnType<typeof createAgent> {
  if (version === 1) {
    return createAgent({
      info,
      onDiagnostic,
      authMethods: [{ id: "login", name: "Log in" }],
      handlers: {
        authenticate: () => {},
        logout: () => {},
        "session/load": () => {},
        "session/close": () => {},
        "session/prompt": async (_, { turn }) => {
          await turn.message("one");
          return { stopReason: "end_turn" };
        },
        _echo: echo,
      },
    });
  }
  return createAgent2({
    info,
    onDiagnostic,
    authMethods: [{ type: "agent", methodId: "login", name: "Log in" }],
    handlers: {
      "auth/login": () => {},
      "auth/logout": () => {},
      "session/resume": () => {},
      "session/prompt": async (_, { turn }) => {
        await turn.message("one");
        return { stopReason: "end_turn" };
      },
      _echo: echo,
    },
  }) as never;
}

async function checkAgent(input: Uint8Array): Promise<void> {
  const choices = new Choices(input);
  const version = choices.pick<Version>([1, 2]);
  const diagnostics: Diagnostic[] = [];
  const wire = new Wire();
  const connection = agentFor(version, (diagnostic) => diagnostics.push(diagnostic)).connect(wire);
  const initialize = { protocolVersion: version, info, capabilities: {}, clientCapabilities: {} };
  // Now and then before initialize.
  if (choices.below(8) > 0) {
    wire.receive(JSON.stringify({ jsonrpc: "2.0", id: "first", method: "initialize", params: initialize }));
    await settled();
  }
  await attack(wire, choices, version, diagnostics);
  if (answersTo(wire, "first").length === 0) {
    wire.receive(JSON.stringify({ jsonrpc: "2.0", id: "last", method: "initialize", params: initialize }));
    await settled();
  }
  await probe(wire);
  for (const id of ["first", "last"]) expectTrue(answersTo(wire, id).length <= 1, `${id} is answered twice`);
  await connection.close();
}

async function checkClient(input: Uint8Array): Promise<void> {
  const choices = new Choices(input);
  const version = choices.pick<Version>([1, 2]);
  const diagnostics: Diagnostic[] = [];
  const wire = new Wire();
  const calls: Promise<unknown>[] = [];
  const options = {
    info,
    onDiagnostic: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic),
    handlers: { _echo: echo },
  };
  const connecting = version === 1 ? createClient(options).connect(wire) : createClient2(options).connect(wire);
  await settled();
  const initialized =
    version === 1
      ? { protocolVersion: 1, agentCapabilities: { loadSession: true } }
      : { protocolVersion: 2, info, capabilities: { session: {} } };
  wire.receive(JSON.stringify({ jsonrpc: "2.0", id: sentBy(wire)[0]?.id, result: initialized }));
  const agent = await connecting;
  const session = agent.newSession({ cwd: "/" });
  await settled();
  wire.receive(JSON.stringify({ jsonrpc: "2.0", id: sentBy(wire).at(-1)?.id, result: { sessionId: "sess_7f3a" } }));
  const turn = (await session).prompt("Hello");
  const asked: Promise<unknown> = (agent as Peer<object>).request("_ask", {});
  calls.push("response" in turn ? turn.response : turn.finished, asked, agent.newSession({ cwd: "/" }));
  const ends = Promise.allSettled(calls);
  await settled();
  await attack(wire, choices, version, diagnostics);
  await probe(wire);
  await agent.close();
  // Whatever was answered, and how: everything settles, with a value or an error of the toolkit.
  for (const end of await ends) {
    if (end.status === "fulfilled") continue;
    const { reason } = end as { readonly reason: unknown };
    expectTrue(
      reason instanceof AcpError || (reason as Error).name === "AbortError",
      `A call rejects with ${String(reason)}`,
    );
  }
}

/** For each message as it should be, in both versions. */
const seeds: readonly string[] = [0, 1].flatMap((version) =>
  Array.from({ length: 40 }, (_, index) => String.fromCharCode(version, 1, index, 0, 0, 0, 0, index, 1, 2, 0, 0, 0)),
);

export const agentTarget: Target = { name: "agent", covers: ["packages/core/"], seeds, check: checkAgent };
export const clientTarget: Target = { name: "client", covers: ["packages/core/"], seeds, check: checkClient };
