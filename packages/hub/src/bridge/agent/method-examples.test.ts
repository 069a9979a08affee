// The examples of all methods of both schemas, through the bridge: what arrives is valid in the version that it arrives in.
import { agentTable as agent1, clientTable as client1 } from "@acp/schema/v1/unstable";
import { agentTable as agent2, clientTable as client2 } from "@acp/schema/v2/unstable";
import * as validators1 from "@acp/validators/v1/unstable";
import * as validators2 from "@acp/validators/v2/unstable";
import { describe, expect, test } from "vitest";
import { type Example, examplesOf } from "../testing/examples.ts";
import { createRawBridge, type Message, type RawEnd } from "../testing/raw-bridge.ts";

type Version = 1 | 2;
interface Validators {
  validateRequest(method: string, params: unknown): unknown;
  validateResult(method: string, result: unknown): unknown;
  validateNotification(method: string, params: unknown): unknown;
}

const validators = { 1: validators1 as object as Validators, 2: validators2 as object as Validators };
const tables = { 1: { agent: agent1, client: client1 }, 2: { agent: agent2, client: client2 } };
const examples = { 1: examplesOf(1), 2: examplesOf(2) };

/** What an agent can do, in each version: everything. */
const abilities = {
  1: {
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, fork: {} },
    },
  },
  2: { protocolVersion: 2, info: { name: "a", version: "1" }, capabilities: { session: { delete: {}, fork: {} } } },
};

/** An answer from the examples of a version. */
function resultOf(version: Version, method: string): unknown {
  return examples[version].find((one) => one.method === method && "result" in one)?.result ?? {};
}

/** The examples of a version that an agent or a client handles. */
function handledBy(role: "agent" | "client", version: Version, kind: "requests" | "notifications"): readonly Example[] {
  const { handles } = tables[version][role];
  return examples[version].filter(({ method }) => method !== undefined && Object.hasOwn(handles[kind], method));
}

/** What a scripted end gets: checked, and answered as in the examples. */
function answerAll(end: RawEnd, version: Version, problems: unknown[], more?: (message: Message) => unknown): void {
  end.onRequest = (message) => {
    const { method = "", params } = message;
    // The request may have the members of both versions.
    const isChecked = method !== "initialize" && !method.startsWith("_");
    const checked = !isChecked ? { ok: true } : validators[version].validateRequest(method, params);
    if (!(checked as { ok: boolean }).ok) problems.push([method, params, checked]);
    return more?.(message) ?? resultOf(version, method);
  };
}

async function connect(clientVersion: Version, agentVersion: Version, problems: unknown[]) {
  const served = {
    "fs/read_text_file": async () => ({ content: "" }),
    "fs/write_text_file": async () => ({}),
  };
  const terminals = {
    "terminal/create": async () => ({ terminalId: "t" }),
    "terminal/output": () => ({ output: "", truncated: false }),
    "terminal/wait_for_exit": async () => ({ exitCode: 0, signal: null }),
    "terminal/kill": async () => ({}),
    "terminal/release": async () => ({}),
  };
  const { client, agent } = createRawBridge({ fileSystem: () => served, terminals: () => terminals });
  answerAll(client, clientVersion, problems);
  answerAll(agent, agentVersion, problems, ({ method, params }) => {
    if (method === "initialize") return abilities[agentVersion];
    if (method !== "session/prompt" || agentVersion === 1) return undefined;
    const { sessionId } = params as { sessionId: string };
    // The end of the turn follows the answer.
    for (const state of ["running", "idle"]) {
      const update = { sessionUpdate: "state_update", state, ...(state === "idle" && { stopReason: "end_turn" }) };
      setTimeout(() => agent.send({ method: "session/update", params: { sessionId, update } }), 1);
    }
    return undefined;
  });
  return { client, agent };
}

async function open(clientVersion: Version, agentVersion: Version, problems: unknown[], initialize?: unknown) {
  const ends = await connect(clientVersion, agentVersion, problems);
  const params = initialize ?? examples[clientVersion].find(({ method }) => method === "initialize")?.params;
  const answer = await ends.client.call("initialize", params);
  return { ...ends, answer };
}

const label = ({ method, params }: Example): string => `${method} ${JSON.stringify(params).slice(0, 50)}`;

/** In version 1, nothing can be cancelled on its own; and the agent of version 2 has not offered an option for the mode. */
const refused = new Set(["tool_call/cancel", "terminal/cancel", "session/set_mode"]);

describe.each([
  [1, 2],
  [2, 1],
] as const)("a client of version %i with an agent of version %i", (clientVersion, agentVersion) => {
  const requests = handledBy("agent", clientVersion, "requests");
  test.each(requests.map((example) => [label(example), example]))(
    "calls %s",
    async (_label, { method = "", params }) => {
      const problems: unknown[] = [];
      const { client, answer } = await open(
        clientVersion,
        agentVersion,
        problems,
        method === "initialize" ? params : undefined,
      );
      const result = method === "initialize" ? answer : await client.call(method, params);
      if (refused.has(method)) expect(result).toMatchObject({ error: { code: -32_602 } });
      else
        expect(validators[clientVersion].validateResult(method, result.result), JSON.stringify(result)).toEqual({
          ok: true,
        });
      expect(problems).toEqual([]);
      await client.close();
    },
  );

  const asked = handledBy("client", agentVersion, "requests");
  test.each(asked.map((example) => [label(example), example]))(
    "is asked %s",
    async (_label, { method = "", params }) => {
      const problems: unknown[] = [];
      const { agent, client } = await open(clientVersion, agentVersion, problems);
      const result = await agent.call(method, params);
      expect(validators[agentVersion].validateResult(method, result.result), JSON.stringify(result)).toEqual({
        ok: true,
      });
      expect(problems).toEqual([]);
      await client.close();
    },
  );

  test("sends and gets the notifications of the examples", async () => {
    const { agent, client } = await open(clientVersion, agentVersion, []);
    const sent = handledBy("agent", clientVersion, "notifications").filter(
      ({ method }) => method !== "$/cancel_request",
    );
    for (const { method = "", params } of sent) client.send({ method, params });
    const told = handledBy("client", agentVersion, "notifications").filter(
      ({ method }) => method !== "$/cancel_request",
    );
    for (const { method = "", params } of told) agent.send({ method, params });
    await client.call("_acme/end", {});
    await agent.call("_acme/end", {});
    for (const [end, version] of [
      [agent, agentVersion],
      [client, clientVersion],
    ] as const) {
      for (const { id, method, params } of end.received) {
        if (id !== undefined || method === undefined) continue;
        expect(validators[version].validateNotification(method, params), method).toEqual({ ok: true });
      }
    }
    expect(agent.received.some(({ method }) => method === "session/cancel")).toBe(true);
    expect(client.received.some(({ method }) => method === "elicitation/complete")).toBe(true);
    await client.close();
  });
});
