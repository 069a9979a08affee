// Thousands of sessions on one connection, all ended at once: twice as many take twice the work.
import { afterEach, expect, it, vi } from "vitest";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import { createAgent as createAgentV2 } from "../../src/v2/agent.ts";
import { createClient as createClientV2 } from "../../src/v2/client.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createClient } from "../../src/v1/client.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const info = { name: "many", version: "1.0.0" };
const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }] as const;
const never = (): Promise<never> => new Promise(() => {});

/** Counts the steps of everything that goes through maps, sets and arrays, until it is called. */
function countSteps(): () => number {
  let steps = 0;
  const undo: (() => void)[] = [];
  // By hand: a spy goes through lists itself.
  const replace = (owner: object, name: string, wrap: (original: Function) => Function): void => {
    const original = Reflect.get(owner, name) as Function;
    Object.defineProperty(owner, name, { value: wrap(original), configurable: true, writable: true });
    undo.push(() => Object.defineProperty(owner, name, { value: original, configurable: true, writable: true }));
  };
  for (const iterator of [new Map().values(), new Set().values(), [].values()]) {
    replace(Object.getPrototypeOf(iterator) as object, "next", (next) => {
      return function (this: unknown): unknown {
        steps++;
        return Reflect.apply(next, this, []);
      };
    });
  }
  for (const name of ["filter", "find", "findLast", "flatMap", "forEach", "includes", "indexOf", "map", "some"]) {
    replace(Array.prototype, name, (method) => {
      return function (this: readonly unknown[], ...args: unknown[]): unknown {
        steps += this.length;
        return Reflect.apply(method, this, args);
      };
    });
  }
  return () => {
    undo.forEach((restore) => restore());
    return steps;
  };
}

interface Opened {
  prompt(text: string): { close(): Promise<void> };
  close(): Promise<void>;
}

/** A client and an agent that asks it for permission in each turn, which nobody answers. */
async function connect(version: 1 | 2) {
  const [ours, theirs] = createMemoryTransportPair();
  let asked = 0;
  const handlers = {
    "session/request_permission": (): Promise<never> => {
      asked++;
      return never();
    },
  };
  if (version === 1) {
    createAgent({
      info,
      handlers: {
        "session/prompt": async (_params, { client }) => {
          await client.request("session/request_permission", {
            toolCall: { toolCallId: "1" },
            options: [...options],
          });
          return { stopReason: "end_turn" };
        },
        "session/close": () => {},
      },
    }).connect(ours);
  } else {
    createAgentV2({
      info,
      handlers: {
        "session/prompt": async (_params, { turn }) => {
          await turn.requestPermission({ title: "May I?", options: [...options] });
          return { stopReason: "end_turn" };
        },
      },
    }).connect(ours);
  }
  const client = version === 1 ? createClient({ info, handlers }) : createClientV2({ info, handlers });
  const agent = await client.connect(theirs);
  const open = (): Promise<Opened> => agent.newSession({ cwd: "/project" });
  return { open, close: () => agent.close(), asked: () => asked };
}

/** The steps that it takes to end that many sessions, or the turns in them. */
async function stepsFor(version: 1 | 2, ended: "sessions" | "sessions with turns" | "turns", count: number) {
  const { open, close, asked } = await connect(version);
  const sessions = await Promise.all(Array.from({ length: count }, open));
  const turns = ended === "sessions" ? [] : sessions.map((session) => session.prompt("Hello"));
  while (asked() < turns.length) await new Promise((resolve) => setImmediate(resolve));
  const stop = countSteps();
  let steps = 0;
  await Promise.all((ended === "turns" ? turns : sessions).map((one) => one.close())).finally(() => (steps = stop()));
  await close();
  return steps;
}

it.each([1, 2] as const)("ends sessions and turns of version %i at once in linear work", async (version) => {
  for (const ended of ["sessions", "sessions with turns", "turns"] as const) {
    const some = await stepsFor(version, ended, 1000);
    const more = await stepsFor(version, ended, 2000);
    // Work that grows by the square takes four times as many.
    expect(more, ended).toBeLessThan(some * 2.4);
  }
});

it.each([1, 2] as const)(
  "opens and ends sessions of version %i without errors that nobody looks at",
  async (version) => {
    const { open, close } = await connect(version);
    let made = 0;
    class Counted extends DOMException {
      constructor(...args: ConstructorParameters<typeof DOMException>) {
        super(...args);
        made++;
      }
    }
    vi.stubGlobal("DOMException", Counted);
    const sessions = await Promise.all(Array.from({ length: 10 }, open));
    await Promise.all(sessions.map((session) => session.close()));
    vi.unstubAllGlobals();
    await close();
    expect(made).toBe(0);
  },
);
