// Whatever comes in whatever order: every prompt has one answer, and what a session says of itself adds up.
import { expect, test } from "vitest";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import type { OverlappingPrompts } from "../../src/session/agent/agent-options.ts";
import { createAgent } from "../../src/v2/agent.ts";
import { info } from "../support/v2-wire.ts";

/** Numbers that look random, the same for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return state % below;
  };
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly update?: Update };
  readonly result?: { readonly messageId?: string };
  readonly error?: { readonly code: number };
}
interface Update {
  readonly sessionUpdate: string;
  readonly state?: string;
  readonly messageId?: string;
}

function connect(random: (below: number) => number, overlappingPrompts: OverlappingPrompts): RawPeer {
  const agent = createAgent({
    info,
    overlappingPrompts,
    sessionId: () => "s",
    handlers: {
      "session/resume": () => {
        if (random(3) === 0) throw new Error("It cannot be resumed");
      },
      "session/prompt": async (_params, { turn, client, signal }) => {
        for (;;) {
          if (random(2) === 0) await new Promise((resolve) => setTimeout(resolve, random(3)));
          switch (random(8)) {
            case 0:
              await turn.message("Hello");
              break;
            case 1:
              await turn.requestPermission({ title: "May I?" });
              break;
            case 2:
              await (await turn.toolCall({ title: "Do", capabilities: { cancel: {} } })).complete();
              break;
            case 3:
              if (signal.aborted) throw signal.reason;
              await client.request("_acme/ask");
              break;
            case 4:
              throw new Error("It failed");
            case 5:
              await turn.accept();
              break;
            default:
              return { stopReason: "end_turn" };
          }
        }
      },
    },
  });
  return createRawPeer((transport) => agent.connect(transport));
}

test.each(Array.from({ length: 32 }, (_, seed) => seed))("life %i of an agent adds up", async (seed) => {
  const random = randomFrom(seed);
  const mode = (["queue", "refuse", "replace", "alongside"] as const)[seed % 4] ?? "queue";
  const peer = connect(random, mode);
  await peer.call("initialize", { protocolVersion: 2, info, capabilities: {} });
  await peer.call("session/new", { cwd: "/project" });
  const received = peer.received as readonly Message[];
  const prompts: number[] = [];
  let resumed = 0;
  let answered = 0;
  const answerAll = (): void => {
    const questions = received.filter(({ id, method }) => id !== undefined && method !== undefined);
    for (const { id } of questions.slice(answered)) {
      peer.send({ jsonrpc: "2.0", id, result: { outcome: { outcome: "selected", optionId: "allow" } } });
    }
    answered = questions.length;
  };
  for (let id = 1; id <= 40; id++) {
    const send = (method: string, params: object = {}): void =>
      peer.send({ jsonrpc: "2.0", id, method, params: { sessionId: "s", ...params } });
    switch (random(8)) {
      case 0:
        peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
        break;
      case 1:
        resumed++;
        send("session/resume", { cwd: "/project" });
        break;
      case 2:
        peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: prompts.at(-1) ?? 0 } });
        break;
      case 3:
        if (random(3) === 0) send("session/close");
        break;
      case 4:
        answerAll();
        break;
      default:
        prompts.push(id);
        send("session/prompt", { prompt: [{ type: "text", text: String(id) }] });
    }
    if (random(2) === 0) await new Promise((resolve) => setTimeout(resolve, random(4)));
  }
  while (answersTo(prompts, received).length < prompts.length || (statesIn(received).at(-1) ?? "idle") !== "idle") {
    answerAll();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  // Each prompt has one answer.
  const answers = answersTo(prompts, received);
  expect(answers.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(prompts);
  // Those that were accepted, and no others, are in the conversation, in the order of their answers.
  const accepted = answers.flatMap(({ result }) => result?.messageId ?? []);
  const updates = received.flatMap(({ params }) => params?.update ?? []);
  const echoed = updates.filter(({ sessionUpdate }) => sessionUpdate === "user_message");
  expect(echoed.map(({ messageId }) => messageId)).toEqual(accepted);
  // What a session does is told when it changes, when it is resumed, and when work has ended.
  const states = statesIn(received);
  const repeated = states.filter((state, index) => state !== "idle" && state === states[index - 1]);
  expect(repeated.length).toBeLessThanOrEqual(resumed);
});

function answersTo(prompts: readonly number[], received: readonly Message[]): readonly Message[] {
  return received.filter(({ id, method }) => method === undefined && prompts.includes(id as number));
}

function statesIn(received: readonly Message[]): readonly string[] {
  return received.flatMap(({ params }) => params?.update?.state ?? []);
}
