import { type ClientSession, createClient, type Diagnostic } from "@acp/core";
import { unknownVariant } from "@acp/schema";

import { eventually, expectEqual, expectTrue, rejectionOf, sleep } from "../check.ts";
import { programOn } from "../platform.ts";
import { isAlive } from "../../support/is-alive.ts";
import type { Step } from "../programs/scripted.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";

type Handlers = NonNullable<Parameters<typeof createClient>[0]["handlers"]>;

/** Runs `use` with an agent that plays scripts, and ends it. */
async function withAgent(
  { runtime, runtimeName, directory }: ScenarioContext,
  handlers: Handlers,
  use: (session: ClientSession, more: { diagnostics: Diagnostic[]; pid: number }) => Promise<void>,
): Promise<void> {
  const diagnostics: Diagnostic[] = [];
  const client = createClient({
    info: { name: "test-client", version: "1" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers,
  });
  const agent = await runtime.spawnAgent(client, programOn(runtimeName, "scripted"));
  try {
    await use(await agent.newSession({ cwd: directory }), { diagnostics, pid: agent.process.pid });
  } finally {
    await agent.close();
    expectTrue(!isAlive(agent.process.pid), "the agent is gone after close()");
  }
}

const script = (...steps: Step[]): string => JSON.stringify(steps);
const permission = (sessionId: string): object => ({
  id: "ask",
  method: "session/request_permission",
  params: {
    sessionId,
    toolCall: { toolCallId: "call" },
    options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
  },
});

export const scenarios: readonly Scenario[] = [
  test("a prompt resolves after its updates were handled, 300 times, with any handlers of requests", async (context) => {
    let handled = 0;
    const ignored = (): { outcome: { outcome: "cancelled" } } => ({ outcome: { outcome: "cancelled" } });
    const handlers: Handlers = {
      "session/request_permission": ignored,
      "fs/read_text_file": () => ({ content: "" }),
      "fs/write_text_file": () => {},
      "_x/a": ignored,
      "_x/b": ignored,
      "_x/c": ignored,
      "_x/d": ignored,
      "_x/e": ignored,
      "session/update": async () => {
        await Promise.resolve();
        await Promise.resolve();
        handled++;
      },
    };
    await withAgent(context, handlers, async (session) => {
      for (let turn = 0; turn < 300; turn++) {
        handled = 0;
        await session.prompt(script({ updates: 20, answer: "end_turn" })).response;
        expectEqual(handled, 20, `updates handled before the answer of turn ${turn}`);
      }
    });
  }),
  test("160,000 updates in one turn are all delivered, through the handler and the turn's iterator (UPD-08)", async (context) => {
    let handled = 0;
    await withAgent(context, { "session/update": () => void handled++ }, async (session) => {
      const turn = session.prompt(
        script(...Array.from({ length: 160 }, () => ({ updates: 1000 })), { answer: "end_turn" }),
      );
      let last = -1;
      let iterated = 0;
      for await (const update of turn.updates) {
        if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") continue;
        expectEqual(Number(update.content.text), (last + 1) % 1000, "order");
        last = Number(update.content.text);
        iterated++;
      }
      expectEqual([handled, iterated], [160_000, 160_000], "updates");
    });
  }),
  test("an agent that dies in a turn loses none of the updates it sent, however slow their handler is", async (context) => {
    for (const count of [3, 20_000]) {
      let handled = 0;
      const handler = async (): Promise<void> => void (handled++ === 0 && (await sleep(20)));
      await withAgent(context, { "session/update": handler }, async (session) => {
        const turn = session.prompt(script({ updates: count, exit: 3 }));
        let seen = 0;
        const reading = (async () => {
          for await (const _ of turn.updates) seen++;
        })();
        expectEqual([(await rejectionOf(reading))["code"], seen], ["process_exited", count], "updates, and the error");
        expectEqual((await rejectionOf(turn.response))["code"], "process_exited", "the turn");
        await eventually(() => handled === count, "the handler gets them, too");
      });
    }
  }),
  test("an update of an unknown kind arrives as such, with its received members (UPD-07)", async (context) => {
    await withAgent(context, {}, async (session, { diagnostics }) => {
      const update = { sessionUpdate: "brand_new", payload: { deep: [1, null] } };
      const turn = session.prompt(
        script({
          send: [{ method: "session/update", params: { sessionId: session.id, update } }],
          answer: "end_turn",
        }),
      );
      const received: unknown[] = [];
      for await (const seen of turn.updates) {
        if (seen.sessionUpdate !== unknownVariant) continue;
        received.push(seen.received);
        expectEqual(`An ${seen.sessionUpdate}`, "An unknown variant", "its tag");
        expectEqual(JSON.stringify(seen), JSON.stringify(update), "its JSON");
        expectEqual(structuredClone(seen), { sessionUpdate: unknownVariant, received: update }, "its clone");
      }
      expectEqual(received, [update], "unknown updates");
      expectEqual(
        diagnostics.map(({ type }) => type),
        ["tolerated"],
        "diagnostics",
      );
    });
  }),
  test("a request cancelled by its signal rejects at once, though the agent never answers (RCAN-01/client)", async (context) => {
    await withAgent(context, {}, async (session) => {
      const stop = new AbortController();
      const asking = session.agent.request("_x/never", {}, { signal: stop.signal });
      await sleep(20);
      stop.abort(new Error("enough"));
      expectEqual((await rejectionOf(asking)).message, "enough", "reason");
    });
  }),
  test("a message without a newline before the end of the output is delivered", async (context) => {
    await withAgent(context, {}, async (session) => {
      const turn = session.prompt(script({ updates: 3, answer: "end_turn", open: true, exit: 0 }));
      expectEqual(await turn.response, { stopReason: "end_turn" }, "answer");
    });
  }),
  test("a permission request that arrives in one piece with its updates is asked after they were handled", async (context) => {
    const order: string[] = [];
    const handlers: Handlers = {
      "session/update": async () => {
        await sleep(5);
        order.push("update");
      },
      "session/request_permission": () => {
        order.push("permission");
        return { outcome: { outcome: "selected", optionId: "yes" } };
      },
    };
    await withAgent(context, handlers, async (session) => {
      await session.prompt(
        script({ updates: 2, send: [permission(session.id)] }, { await: "an answer" }, { answer: "end_turn" }),
      ).response;
      expectEqual(order, ["update", "update", "permission"], "order");
    });
  }),
  test("a handler may prompt, and wait for the answer, in the session it handles", async (context) => {
    let nested = 0;
    const handlers: Handlers = {
      "session/update": async (_params, { session }) => {
        if (nested++ > 0) return;
        await session.prompt(script({ updates: 3, answer: "refusal" })).response;
      },
    };
    await withAgent(context, handlers, async (session) => {
      expectEqual(await session.prompt(script({ updates: 3, answer: "end_turn" })).response, {
        stopReason: "end_turn",
      });
      await eventually(() => nested === 6, "all updates are handled");
    });
  }),
  test("two sessions' handlers may prompt each other's session and wait", async (context) => {
    const others = new Map<string, ClientSession>();
    const asked = new Set<string>();
    const handlers: Handlers = {
      "session/update": async ({ sessionId }) => {
        const other = others.get(sessionId);
        if (other === undefined || asked.has(sessionId)) return;
        asked.add(sessionId);
        await other.prompt(script({ updates: 2, answer: "end_turn" })).response;
      },
    };
    const { runtime, runtimeName, directory } = context;
    const client = createClient({ info: { name: "test-client", version: "1" }, handlers });
    const agent = await runtime.spawnAgent(client, programOn(runtimeName, "scripted"));
    try {
      const [one, two] = [await agent.newSession({ cwd: directory }), await agent.newSession({ cwd: directory })];
      others.set(one.id, two).set(two.id, one);
      const turns = [one, two].map((session) => session.prompt(script({ updates: 2, answer: "end_turn" })).response);
      expectEqual(await Promise.all(turns), [{ stopReason: "end_turn" }, { stopReason: "end_turn" }], "answers");
    } finally {
      await agent.close();
    }
  }),
  test("cancelling answers the open permission request and resolves with the agent's answer (CANC-01, CANC-03)", async (context) => {
    let asked = false;
    let aborted = false;
    const handlers: Handlers = {
      "session/request_permission": (_params, { signal }) =>
        new Promise((_resolve, reject) => {
          asked = true;
          signal.addEventListener("abort", () => {
            aborted = true;
            reject(signal.reason as Error);
          });
        }),
    };
    await withAgent(context, handlers, async (session, { diagnostics }) => {
      const stop = new AbortController();
      const steps = script(
        { send: [permission(session.id)] },
        { await: "session/cancel" },
        { await: "an answer" },
        { updates: 1, answer: "cancelled" },
      );
      const turn = session.prompt(steps, { signal: stop.signal });
      await eventually(() => asked, "the user is asked");
      stop.abort();
      expectEqual(await turn.response, { stopReason: "cancelled" }, "answer");
      expectTrue(aborted, "the handler was told");
      expectEqual(
        diagnostics.filter(({ level }) => level === "error"),
        [],
        "errors",
      );
    });
  }),
  test("a turn that the agent does not end after a cancel rejects after the grace, and the connection continues", async (context) => {
    await withAgent(context, {}, async (session) => {
      const turn = session.prompt(script({ await: "never" }), { cancelGrace: 100 });
      await sleep(20);
      turn.cancel();
      const error = await rejectionOf(turn.response);
      expectEqual([error["code"], error["phase"]], ["timeout", "cancel"], "error");
      expectEqual(
        await session.prompt(script({ answer: "end_turn" })).response,
        { stopReason: "end_turn" },
        "next turn",
      );
    });
  }),
  test("an agent that queues runs prompts in their order, each turn has its own updates, and a cancel ends all", async ({
    runtime,
    runtimeName,
    directory,
  }) => {
    const client = createClient({ info: { name: "test-client", version: "1" } });
    const agent = await runtime.spawnAgent(client, programOn(runtimeName, "agent", ["--queue"]));
    try {
      const session = await agent.newSession({ cwd: directory });
      const counts = Array.from({ length: 20 }, (_, index) => index * 50);
      const turns = counts.map((count) => session.prompt(`burst ${count}`));
      const told = turns.map(async ({ updates }) => {
        let count = 0;
        for await (const _update of updates) count++;
        return count;
      });
      expectEqual(await Promise.all(told), counts, "updates of each turn");
      const cancelled = [session.prompt("wait"), session.prompt("burst 1"), session.prompt("burst 1")];
      cancelled[0]?.cancel();
      const next = session.prompt("burst 1");
      const reasons = await Promise.all([...cancelled, next].map(async ({ response }) => (await response).stopReason));
      expectEqual(reasons, ["cancelled", "cancelled", "cancelled", "end_turn"], "stop reasons");
    } finally {
      await agent.close();
    }
  }),
  test("a slow handler stops the agent's writes instead of filling memory, and nothing is lost", async (context) => {
    let handled = 0;
    const handlers: Handlers = {
      "session/update": async () => {
        if (handled++ % 1000 === 0) await sleep(5);
      },
    };
    await withAgent(context, handlers, async (session) => {
      const steps = Array.from({ length: 60 }, () => ({ updates: 1000 }));
      await session.prompt(script(...steps, { answer: "end_turn" })).response;
      expectEqual(handled, 60_000, "updates");
    });
  }),
];
