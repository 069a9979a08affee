// What is called without what it needs says so: no error of the language comes out.
import { describe, expect, it } from "vitest";
import { AcpError, UsageError } from "../../src/base/errors.ts";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import * as stable1 from "../../src/v1/index.ts";
import * as unstable1 from "../../src/v1/unstable/entry.ts";
import * as stable2 from "../../src/v2/index.ts";
import * as unstable2 from "../../src/v2/unstable/entry.ts";

const info = { name: "test", version: "1.0.0" };

interface Version {
  createAgent(options: never): { connect(transport: never): unknown };
  createClient(options: never): { connect(transport: never): Promise<Members> };
}

type Members = Readonly<Record<string, unknown>> & { newSession(params?: unknown): Promise<Members> };

const wrong: readonly (readonly unknown[])[] = [[], [null], ["x"], [7], [{}], [{}, null], [undefined, 7], ["x", "x"]];

const sessionCalls = ["prompt", "setMode", "setConfigOption", "updates", "cancel"];

async function connect({ createAgent, createClient }: Version): Promise<Members> {
  const [a, b] = createMemoryTransportPair();
  const handlers = { "session/prompt": () => ({ stopReason: "end_turn" }) };
  createAgent({ info, handlers } as never).connect(a as never);
  return await createClient({ info } as never).connect(b as never);
}

/** The names of the functions of an object, but for what ends it. */
function functionsOf(object: object): string[] {
  return Object.entries(object).flatMap(([name, value]) =>
    typeof value === "function" && name !== "close" ? [name] : [],
  );
}

async function failureOf(target: Members, name: string, given: readonly unknown[]): Promise<unknown> {
  try {
    const made: unknown = Reflect.apply(target[name] as () => unknown, target, given);
    const { response } = Object(made) as { readonly response?: unknown };
    await (response ?? made);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe.each<readonly [name: string, version: Version]>([
  ["version 1", stable1 as never],
  ["version 1, unstable", unstable1 as never],
  ["version 2", stable2 as never],
  ["version 2, unstable", unstable2 as never],
])("a client of %s", (_name, version) => {
  it("newSession() names its missing arguments", async () => {
    const agent = await connect(version);
    for (const params of [undefined, null, {}]) {
      const failed = await agent.newSession(params).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(UsageError);
      expect(String(failed)).toMatch(/^UsageError: session\/new: .*cwd/);
    }
  });

  it("lets no error of the language out of the calls of an agent and a session", async () => {
    const agent = await connect(version);
    const session = await agent.newSession({ cwd: "/" });
    const raw: string[] = [];
    let calls = 0;
    const targets = [
      ["agent", agent, functionsOf(agent)],
      ["session", session, sessionCalls.filter((method) => typeof session[method] === "function")],
      ["session.agent", session["agent"] as Members, functionsOf(session["agent"] as object)],
    ] as const;
    for (const [owner, target, methods] of targets) {
      for (const method of methods) {
        for (const given of wrong) {
          const failed = await failureOf(target, method, given);
          calls++;
          if (failed !== undefined && !(failed instanceof AcpError)) {
            raw.push(`${owner}.${method}(${JSON.stringify(given).slice(1, -1)}): ${(failed as Error).message}`);
          }
        }
      }
    }
    expect(raw).toEqual([]);
    expect(calls).toBeGreaterThan(80);
  });
});
