// Cancelling and ending sessions at any point, over generated turns: nothing is left waiting on either side.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ClientSession,
  type ConnectedAgent,
  createAgent,
  createClient,
  createMemoryTransportPair,
} from "../unstable.ts";

/** What an agent does in a turn. */
type Step = "message" | "permission" | "elicitation" | "pause";
const openings = ["new", "load", "resume", "fork"] as const;
const endings = ["cancel", "abort", "notify", "close", "delete", "disconnect"] as const;

interface Plan {
  readonly opening: (typeof openings)[number];
  readonly steps: readonly Step[];
  /** Which questions the user answers; from others he is away. */
  readonly answers: readonly boolean[];
  /** After how many rounds of the event loop it ends, and how. */
  readonly rounds: number;
  readonly ending: (typeof endings)[number];
}

const plan: fc.Arbitrary<Plan> = fc.record({
  opening: fc.constantFrom(...openings),
  steps: fc.array(fc.constantFrom<Step[]>("message", "permission", "elicitation", "pause"), { maxLength: 8 }),
  answers: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
  rounds: fc.nat(12),
  ending: fc.constantFrom(...endings),
});

interface Log {
  /** Questions the agent has asked, and those it was answered. */
  asked: number;
  answered: number;
  /** How its handlers ended. */
  readonly returned: Set<string>;
  readonly aborted: Set<string>;
}

const options = [{ optionId: "a", name: "Allow", kind: "allow_once" as const }];
const round = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

function createTestAgent(log: Log) {
  const question = async (ask: Promise<unknown>): Promise<void> => {
    log.asked++;
    await ask.finally(() => log.answered++);
  };
  return createAgent({
    info: { name: "agent", version: "1.0.0" },
    handlers: {
      "session/load": () => {},
      "session/resume": () => {},
      "session/fork": async (_params, { session }) => {
        await session.update({ sessionUpdate: "session_info_update", title: "A fork" });
        return { sessionId: session.id };
      },
      "session/close": () => {},
      "session/delete": () => {},
      "session/prompt": async ({ prompt: [block] }, { turn, session, client, signal }) => {
        const steps = JSON.parse(block?.type === "text" ? block.text : "[]") as Step[];
        try {
          for (const step of steps) {
            signal.throwIfAborted();
            if (step === "message") await turn.message("Working. ");
            else if (step === "pause") await round();
            else if (step === "permission") {
              const call = await turn.toolCall({ title: "Write" });
              await question(call.requestPermission(options));
            } else {
              const requestedSchema = { type: "object", properties: {} } as const;
              const params = { sessionId: session.id, mode: "form", message: "Which?", requestedSchema } as const;
              await question(client.request("elicitation/create", params));
            }
          }
          signal.throwIfAborted();
        } catch (error) {
          if (signal.aborted) log.aborted.add(session.id);
          throw error;
        }
        log.returned.add(session.id);
        return { stopReason: "end_turn" };
      },
    },
  });
}

/** A client whose user answers the questions of a session as planned, and else is away for good. */
function createTestClient(plans: Map<string, Plan>) {
  const asked = new Map<string, number>();
  const answer = async <T>(sessionId: string, given: T): Promise<T> => {
    const number = asked.get(sessionId) ?? 0;
    asked.set(sessionId, number + 1);
    const { answers = [true] } = plans.get(sessionId) ?? {};
    // Not even a signal is listened to.
    if (answers[number % answers.length] === false) return new Promise(() => {});
    return given;
  };
  return createClient({
    info: { name: "client", version: "1.0.0" },
    capabilities: { elicitation: { form: {} } },
    handlers: {
      "session/request_permission": ({ sessionId }) =>
        answer(sessionId, { outcome: { outcome: "selected", optionId: "a" } as const }),
      "elicitation/create": (params) =>
        answer("sessionId" in params ? params.sessionId : "", { action: "decline" } as const),
    },
  });
}

async function open(
  agent: ConnectedAgent,
  first: ClientSession,
  { opening }: Plan,
  id: string,
): Promise<ClientSession> {
  if (opening === "new") return agent.newSession({ cwd: "/project" });
  if (opening === "fork") return agent.forkSession({ cwd: "/project", sessionId: first.id });
  return opening === "load"
    ? agent.loadSession({ cwd: "/project", sessionId: id })
    : agent.resumeSession({ cwd: "/project", sessionId: id });
}

/** Plays a turn and its end; returns how it was answered, or `undefined` if the connection was the end of it. */
async function play(agent: ConnectedAgent, session: ClientSession, { steps, rounds, ending }: Plan): Promise<unknown> {
  const controller = new AbortController();
  const turn = session.prompt(JSON.stringify(steps), { signal: controller.signal });
  for (let i = 0; i < rounds; i++) await round();
  if (ending === "abort") controller.abort();
  else if (ending === "cancel") turn.cancel();
  else if (ending === "notify") await session.agent.notify("session/cancel", {});
  else if (ending === "close") await session.close();
  else if (ending === "delete") await session.agent.request("session/delete", {});
  else await agent.close();
  const answer = await turn.response.catch(() => undefined);
  return answer?.stopReason;
}

describe("a turn that is cancelled, or whose session is closed or deleted, at any point", () => {
  it("ends with cancelled, and answers all that waits for the user (CANC-03, CANC-05, PERM-07, SESS-15)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 4 }), async (plans) => {
        const log: Log = { asked: 0, answered: 0, returned: new Set(), aborted: new Set() };
        const bySession = new Map<string, Plan>();
        const [ours, theirs] = createMemoryTransportPair();
        createTestAgent(log).connect(theirs);
        const agent = await createTestClient(bySession).connect(ours);
        const first = await agent.newSession({ cwd: "/project" });
        // One connection cannot be lost twice, nor in the middle of what the others check.
        const last = plans.length - 1;
        const planned = plans.map((one, index) =>
          one.ending === "disconnect" && index < last ? { ...one, ending: "cancel" as const } : one,
        );
        const isLost = planned[last]?.ending === "disconnect";
        const playing = planned.map(async (one, index) => {
          const session = await open(agent, first, one, `session-${index}`);
          bySession.set(session.id, one);
          const stopReason = await play(agent, session, one);
          if (isLost) return;
          // Unless the handler was done before it could know.
          expect(stopReason).toBe(log.returned.has(session.id) ? "end_turn" : "cancelled");
          expect(log.returned.has(session.id) || log.aborted.has(session.id)).toBe(true);
          const isOver = one.ending === "close" || one.ending === "delete";
          expect([session.signal.aborted, agent.session(session.id) === undefined]).toEqual([isOver, isOver]);
          // What is left open goes on as before.
          if (!isOver) expect((await session.prompt("[]").response).stopReason).toBe("end_turn");
        });
        await (isLost ? Promise.allSettled(playing) : Promise.all(playing));
        await agent.close();
        for (let i = 0; i < 5 && log.answered < log.asked; i++) await round();
        expect(log.answered).toBe(log.asked);
      }),
      { numRuns: 150, seed: 20_261_122, timeout: 20_000 },
    );
  }, 120_000);
});
