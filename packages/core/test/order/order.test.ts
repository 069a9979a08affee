// The order rules, over generated schedules: whatever handlers take and however their ends interleave.
import type { Received } from "@acp/schema/v1/unstable";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
// What opens sessions and asks the user is more there; the rest is the same.
import { type ClientSession, type ConnectedAgent, createClient, type Turn } from "../../src/v1/unstable/entry.ts";

/** What the agent does next in one session. */
type Step =
  | { readonly kind: "update"; readonly handler: "sync" | "async" | "asks" }
  | { readonly kind: "permission"; readonly user: "answers" | "is away" }
  | {
      readonly kind: "elicitation";
      readonly user: "answers" | "is away";
      readonly scope: "session" | "tool call" | "prompt";
    }
  | { readonly kind: "cancel"; readonly when: "at once" | "later" }
  /** It wants a login, for which the user is away, and the turn is cancelled. */
  | { readonly kind: "refusal"; readonly when: "at once" | "later" }
  | { readonly kind: "end of turn" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("update" as const), handler: fc.constantFrom("sync", "async", "asks") }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom("permission" as const, "elicitation" as const),
      user: fc.constantFrom("answers", "is away"),
      scope: fc.constantFrom("session", "tool call", "prompt"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom("cancel" as const, "refusal" as const),
      when: fc.constantFrom("at once", "later"),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: "end of turn" as const }) },
);

/** How a session is opened: with a history that comes before the answer, where there may be one. */
const openings = ["new", "load", "resume", "fork"] as const;
type Opening = (typeof openings)[number];
const hasHistory = (opening: Opening): boolean => opening === "load" || opening === "fork";

interface Plan {
  readonly opening: Opening;
  readonly steps: readonly Step[];
}

const plan: fc.Arbitrary<Plan> = fc.record({
  opening: fc.constantFrom(...openings),
  steps: fc.array(step, { maxLength: 14 }),
});

interface Run {
  readonly peer: RawPeer;
  readonly agent: ConnectedAgent;
  readonly sessions: readonly ClientSession[];
  /** What happened, as `session:event`. */
  readonly log: string[];
}

/** A client whose update handlers end when `scheduler` says so. */
async function setUp(scheduler: fc.Scheduler, plans: readonly Plan[]): Promise<Run> {
  const log: string[] = [];
  const client = createClient({
    info: { name: "client", version: "1.0.0" },
    capabilities: { elicitation: { form: {} } },
    authenticate: () => new Promise(() => {}),
    handlers: {
      "session/update": ({ sessionId, update }, { agent: peerAgent }) => {
        const { name, handler } = labelOf(update);
        log.push(`${sessionId}:start ${name}`);
        const end = (): void => void log.push(`${sessionId}:end ${name}`);
        if (handler === "sync") return end();
        const work = handler === "asks" ? peerAgent.request("_x/ask", { sessionId }).then(() => {}) : Promise.resolve();
        return scheduler.schedule(work, name).then(end);
      },
      "session/request_permission": ({ sessionId, toolCall, options }, { signal }) => {
        log.push(`${sessionId}:permission ${toolCall.toolCallId}`);
        const [option] = options;
        if (option?.name === "answers") return { outcome: { outcome: "selected", optionId: option.optionId } };
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        });
      },
      "elicitation/create": (params) => {
        const [sessionId = "", number = "", user = ""] = ("message" in params ? params.message : "").split(":");
        log.push(`${sessionId}:elicitation ${number}`);
        // Who is away hears of no cancel either.
        return user === "answers" ? { action: "decline" } : new Promise(() => {});
      },
    },
  });
  let connecting: Promise<ConnectedAgent> | undefined;
  const peer: RawPeer = createRawPeer((transport) => {
    connecting = client.connect(transport);
  });
  const initialize = await peer.next(({ method }) => method === "initialize");
  const agentCapabilities = { loadSession: true, sessionCapabilities: { resume: {}, fork: {} } };
  peer.send({ jsonrpc: "2.0", id: initialize["id"], result: { protocolVersion: 1, agentCapabilities } });
  const agent = await connecting;
  if (agent === undefined) throw new Error("not connected");
  const sessions: ClientSession[] = [];
  for (const [i, { opening }] of plans.entries()) {
    const sessionId = `s${i}`;
    const opened = open(agent, opening, sessionId).then((session) => {
      log.push(`${sessionId}:opened`);
      return session;
    });
    const { id } = await peer.next(({ method }) => method === `session/${opening}`);
    if (hasHistory(opening)) peer.send(updateOf(sessionId, "history async"));
    peer.send({ jsonrpc: "2.0", id, result: { sessionId } });
    // A prompt's answer must not wait for a handler that may be what waits for it: none runs when it is sent.
    const last = [`${sessionId}:opened`, ...(hasHistory(opening) ? [`${sessionId}:end history`] : [])];
    while (!last.every((entry) => log.includes(entry))) await goOn(scheduler);
    sessions.push(await opened);
  }
  await peer.settle();
  return { peer, agent, sessions, log };
}

async function open(agent: ConnectedAgent, opening: Opening, sessionId: string): Promise<ClientSession> {
  if (opening === "new") return agent.newSession({ cwd: "/" });
  if (opening === "fork") return agent.forkSession({ cwd: "/", sessionId: "another" });
  return opening === "load" ? agent.loadSession({ cwd: "/", sessionId }) : agent.resumeSession({ cwd: "/", sessionId });
}

/** Lets time pass, and a handler end. */
async function goOn(scheduler: fc.Scheduler): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  if (scheduler.count() > 0) await scheduler.waitOne();
}

function updateOf(sessionId: string, text: string): object {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update } };
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
  let current: Turn | undefined;
  let ending = "end_turn";
  const prompt = async (): Promise<unknown> => {
    await answered;
    const number = turn++;
    current = session.prompt(`turn ${number}`);
    answered = current.response.then(({ stopReason }) => log.push(`${sessionId}:turn ${number} ${stopReason}`));
    const message = await peer.next(
      ({ method, params }) => method === "session/prompt" && (params as { sessionId: string }).sessionId === sessionId,
    );
    return message["id"];
  };
  let id = await prompt();
  for (const [number, { kind, ...rest }] of steps.entries()) {
    if (kind === "update") {
      peer.send(updateOf(sessionId, `${number} ${(rest as { handler: string }).handler}`));
    } else if (kind === "permission") {
      const option = { optionId: "a", name: (rest as { user: string }).user, kind: "allow_once" };
      const params = { sessionId, toolCall: { toolCallId: String(number) }, options: [option] };
      peer.send({ jsonrpc: "2.0", id: `${sessionId}-${number}`, method: "session/request_permission", params });
    } else if (kind === "elicitation") {
      const { user, scope } = rest as { user: string; scope: string };
      const message = `${sessionId}:${number}:${user}`;
      const owner = scope === "prompt" ? { requestId: id } : { sessionId };
      const toolCall = scope === "tool call" ? { toolCallId: "t" } : {};
      const requestedSchema = { type: "object", properties: {} };
      const params = { ...owner, ...toolCall, mode: "form", message, requestedSchema };
      peer.send({ jsonrpc: "2.0", id: `${sessionId}-${number}`, method: "elicitation/create", params });
    } else if (kind === "cancel") {
      // Later, what was sent has arrived, and whom it asks may have been asked.
      if ((rest as { when: string }).when === "later") await peer.settle();
      current?.cancel();
      ending = "cancelled";
    } else {
      if (kind === "refusal") {
        peer.send({ jsonrpc: "2.0", id, error: { code: -32000, message: "Authentication required" } });
        // Later, the user has been asked, unless a handler is in the way of the answer.
        if ((rest as { when: string }).when === "later") await peer.settle();
        current?.cancel();
      } else {
        peer.send({ jsonrpc: "2.0", id, result: { stopReason: ending } });
      }
      ending = "end_turn";
      id = await prompt();
    }
  }
  peer.send({ jsonrpc: "2.0", id, result: { stopReason: ending } });
}

/** Checks one session's log, and what the agent was answered, against the rules. */
function check({ log, peer }: Run, sessionId: string, { opening, steps }: Plan): void {
  const events = log
    .filter((entry) => entry.startsWith(`${sessionId}:`))
    .map((entry) => entry.slice(sessionId.length + 1));
  const at = (event: string): number => events.indexOf(event);
  const updates = [...steps.entries()].filter(([, { kind }]) => kind === "update").map(([number]) => number);
  // One after another, in arrival order.
  const labels = [...(hasHistory(opening) ? ["history"] : []), ...updates];
  const expected = labels.flatMap((label) => [`start ${label}`, `end ${label}`]);
  expect(events.filter((event) => /^(?:start|end) /.test(event))).toEqual(expected);
  // A session that is loaded has its history behind it (SESS-06).
  if (opening === "load") expect(at("end history")).toBeLessThan(at("opened"));
  // What comes before the answer that tells of a session is kept until its opener has gone on.
  if (opening === "fork") expect(at("opened")).toBeLessThan(at("start history"));
  let turn = 0;
  let cancelled = false;
  const outcomeOf = (number: number): string | undefined => {
    const answer = peer.received.find(({ id }) => id === `${sessionId}-${number}`);
    const { outcome, action } = (answer?.["result"] ?? {}) as { outcome?: { outcome: string }; action?: string };
    return outcome?.outcome ?? action;
  };
  const endOf = (before: number): readonly number[] => updates.filter((number) => number < before);
  for (const [number, { kind }] of [...steps.entries(), [steps.length, { kind: "end of turn" }] as const]) {
    if (kind === "end of turn" || kind === "refusal") {
      // After all updates before it, and with the agent's answer, also when it was cancelled (CANC-05).
      const end = `turn ${turn} ${cancelled || kind === "refusal" ? "cancelled" : "end_turn"}`;
      expect(at(end)).toBeGreaterThanOrEqual(0);
      for (const update of endOf(number)) expect(at(`end ${update}`)).toBeLessThan(at(end));
      turn++;
      cancelled = false;
    } else if (kind === "cancel") {
      cancelled = true;
    } else if (kind === "permission" || kind === "elicitation") {
      const [gone, done] = kind === "permission" ? ["cancelled", "selected"] : ["cancel", "decline"];
      // Nobody is asked in a turn that is cancelled already; whoever was asked before is answered for (PERM-07).
      const next = steps.findIndex(
        (later, index) => index > number && ["cancel", "refusal", "end of turn"].includes(later.kind),
      );
      const isCancelled = cancelled || steps[next]?.kind === "cancel" || steps[next]?.kind === "refusal";
      const { user } = steps[number] as { user: string };
      if (cancelled || (isCancelled && user === "is away")) expect(outcomeOf(number)).toBe(gone);
      if (!isCancelled && user === "answers") expect(outcomeOf(number)).toBe(done);
      if (isCancelled) continue;
      expect(at(`${kind} ${number}`)).toBeGreaterThanOrEqual(0);
      // What names a call, and no session, waits for nothing.
      if (steps[number]?.kind === "elicitation" && steps[number].scope === "prompt") continue;
      // After the updates before it, unless one that runs waits for an answer itself.
      const asks = steps.slice(0, number).some((earlier) => earlier.kind === "update" && earlier.handler === "asks");
      if (!asks) for (const update of endOf(number)) expect(at(`end ${update}`)).toBeLessThan(at(`${kind} ${number}`));
    }
  }
}

describe("the order of a session", () => {
  it("holds for any schedule of handlers, sessions, nested requests and cancels, however sessions are opened (UPD-08, PROM-12, CANC-05, PERM-07)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(plan, { minLength: 1, maxLength: 3 }), async (scheduler, plans) => {
        const run = await setUp(scheduler, plans);
        const playing = Promise.all(plans.map(({ steps }, index) => play(run, index, steps)));
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
        const all =
          plans.flatMap(({ steps }) => steps).filter(({ kind }) => kind === "end of turn" || kind === "refusal")
            .length + plans.length;
        // Would go on for ever, were there a deadlock.
        for (let steps = 0; turns() < all && steps < 5000; steps++) await goOn(scheduler);
        clearInterval(answering);
        expect(turns()).toBe(all);
        await playing;
        // Requests that came behind the last answer have to be asked as well.
        await run.peer.settle();
        for (const [index, one] of plans.entries()) check(run, `s${index}`, one);
        await run.agent.close();
      }),
      { numRuns: 60, seed: 20_261_121 },
    );
  });
});
