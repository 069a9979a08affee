// The order rules, over generated schedules: whatever handlers take and however their ends interleave.
import type { Received } from "@acp/schema/v1";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRawPeer, type RawPeer } from "../testing/raw-peer.ts";
import { createClient } from "./client.ts";
import type { ClientSession } from "./client-session.ts";
import type { ConnectedAgent } from "./connected-agent.ts";

/** What the agent does next in one session. */
type Step =
  | { readonly kind: "update"; readonly handler: "sync" | "async" | "asks" }
  | { readonly kind: "permission" }
  | { readonly kind: "end of turn" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("update" as const), handler: fc.constantFrom("sync", "async", "asks") }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "permission" as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: "end of turn" as const }) },
);

interface Run {
  readonly peer: RawPeer;
  readonly agent: ConnectedAgent;
  readonly sessions: readonly ClientSession[];
  /** What happened, as `session:event`. */
  readonly log: string[];
}

/** A client whose update handlers end when `scheduler` says so. */
async function setUp(scheduler: fc.Scheduler, count: number): Promise<Run> {
  const log: string[] = [];
  const client = createClient({
    info: { name: "client", version: "1.0.0" },
    handlers: {
      "session/update": ({ sessionId, update }, { agent: peerAgent }) => {
        const { name, handler } = labelOf(update);
        log.push(`${sessionId}:start ${name}`);
        const end = (): void => void log.push(`${sessionId}:end ${name}`);
        if (handler === "sync") return end();
        const work = handler === "asks" ? peerAgent.request("_x/ask", { sessionId }).then(() => {}) : Promise.resolve();
        return scheduler.schedule(work, name).then(end);
      },
      "session/request_permission": ({ sessionId, toolCall }) => {
        log.push(`${sessionId}:permission ${toolCall.toolCallId}`);
        return { outcome: { outcome: "cancelled" } };
      },
    },
  });
  let connecting: Promise<ConnectedAgent> | undefined;
  const peer: RawPeer = createRawPeer((transport) => {
    connecting = client.connect(transport);
  });
  const initialize = await peer.next(({ method }) => method === "initialize");
  peer.send({ jsonrpc: "2.0", id: initialize["id"], result: { protocolVersion: 1 } });
  const agent = await connecting;
  if (agent === undefined) throw new Error("not connected");
  const sessions: ClientSession[] = [];
  for (let i = 0; i < count; i++) {
    const opening = agent.newSession({ cwd: "/" });
    const { id } = await peer.next(({ method }) => method === "session/new");
    peer.send({ jsonrpc: "2.0", id, result: { sessionId: `s${i}` } });
    sessions.push(await opening);
  }
  await peer.settle();
  return { peer, agent, sessions, log };
}

function labelOf(update: Received.SessionUpdate): { name: string; handler: string } {
  const text =
    update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? update.content.text : "";
  const [name = "", handler = ""] = text.split(" ");
  return { name, handler };
}

/** Plays the steps of one session; a turn begins when the one before it is answered. */
async function play({ peer, sessions, log }: Run, index: number, steps: readonly Step[]): Promise<void> {
  const session = sessions[index] as ClientSession;
  const sessionId = session.id;
  let turn = 0;
  let answered: Promise<unknown> = Promise.resolve();
  const prompt = async (): Promise<unknown> => {
    await answered;
    const number = turn++;
    answered = session.prompt(`turn ${number}`).response.then(() => log.push(`${sessionId}:turn ${number}`));
    const message = await peer.next(
      ({ method, params }) => method === "session/prompt" && (params as { sessionId: string }).sessionId === sessionId,
    );
    return message["id"];
  };
  let id = await prompt();
  for (const [number, { kind, ...rest }] of steps.entries()) {
    if (kind === "update") {
      const text = `${number} ${(rest as { handler: string }).handler}`;
      const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
      peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });
    } else if (kind === "permission") {
      const params = { sessionId, toolCall: { toolCallId: String(number) }, options: [] };
      peer.send({ jsonrpc: "2.0", id: `${sessionId}-${number}`, method: "session/request_permission", params });
    } else {
      peer.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
      id = await prompt();
    }
  }
  peer.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
}

/** Checks one session's log against the rules. */
function check(log: readonly string[], sessionId: string, steps: readonly Step[]): void {
  const events = log
    .filter((entry) => entry.startsWith(`${sessionId}:`))
    .map((entry) => entry.slice(sessionId.length + 1));
  const at = (event: string): number => events.indexOf(event);
  const updates = [...steps.entries()].filter(([, { kind }]) => kind === "update").map(([number]) => number);
  // One after another, in arrival order.
  const expected = updates.flatMap((number) => [`start ${number}`, `end ${number}`]);
  expect(events.filter((event) => /^(?:start|end) /.test(event))).toEqual(expected);
  let turn = 0;
  const endOf = (before: number): readonly number[] => updates.filter((number) => number < before);
  for (const [number, { kind }] of [...steps.entries(), [steps.length, { kind: "end of turn" }] as const]) {
    if (kind === "end of turn") {
      // After all updates before it.
      for (const update of endOf(number)) expect(at(`end ${update}`)).toBeLessThan(at(`turn ${turn}`));
      turn++;
    } else if (kind === "permission") {
      expect(at(`permission ${number}`)).toBeGreaterThanOrEqual(0);
      // After the updates before it, unless one that runs waits for an answer itself.
      const asks = steps.slice(0, number).some((earlier) => earlier.kind === "update" && earlier.handler === "asks");
      if (!asks)
        for (const update of endOf(number)) expect(at(`end ${update}`)).toBeLessThan(at(`permission ${number}`));
    }
  }
}

describe("the order of a session", () => {
  it("holds for any schedule of handlers, sessions and nested requests (UPD-08, PROM-12)", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.array(step, { maxLength: 14 }), { minLength: 1, maxLength: 3 }),
        async (scheduler, plans) => {
          const run = await setUp(scheduler, plans.length);
          const playing = Promise.all(plans.map((steps, index) => play(run, index, steps)));
          const answering = setInterval(() => {
            for (const { id, method } of run.peer.received) {
              if (method === "_x/ask" && !answered.has(id)) {
                answered.add(id);
                run.peer.send({ jsonrpc: "2.0", id, result: {} });
              }
            }
          }, 0);
          const answered = new Set<unknown>();
          const turns = (): number => run.log.filter((entry) => entry.includes(":turn ")).length;
          const all = plans.flat().filter(({ kind }) => kind === "end of turn").length + plans.length;
          const deadline = Date.now() + 5000;
          // Would go on for ever, were there a deadlock.
          while (turns() < all && Date.now() < deadline) {
            await new Promise((resolve) => setTimeout(resolve, 0));
            if (scheduler.count() > 0) await scheduler.waitOne();
          }
          clearInterval(answering);
          expect(turns()).toBe(all);
          await playing;
          for (const [index, steps] of plans.entries()) check(run.log, `s${index}`, steps);
          await run.agent.close();
        },
      ),
      { numRuns: 60, seed: 20_261_121 },
    );
  }, 120_000);
});
