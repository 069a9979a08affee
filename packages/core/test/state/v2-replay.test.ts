import * as fc from "fast-check";
import { expect, test } from "vitest";
import { reduceSession } from "../../src/state/v2/reduce-session.ts";
import type { SessionState } from "../../src/state/v2/session-state.ts";
import { terminalText } from "../../src/state/v2/terminals.ts";
import { anyUpdate, blocks } from "../support/any-v2-update.ts";
import { RememberingAgent } from "../support/remembering-agent.ts";
import { idle, stateAfter } from "../../src/state/v2/testing/updates.ts";

/** What happens in a session, step by step. */
const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ step: fc.constant("tell" as const), update: anyUpdate }) },
    {
      weight: 2,
      arbitrary: fc.record({
        step: fc.constant("prompt" as const),
        prompt: fc.array(blocks, { minLength: 1, maxLength: 2 }),
        first: fc.constantFrom("answer", "echo"),
        inChunks: fc.boolean(),
      }),
    },
    fc.record({ step: fc.constant("cancel" as const), update: fc.constantFrom(idle("cancelled"), idle("error")) }),
  ),
  { maxLength: 60 },
);
type Steps = typeof steps extends fc.Arbitrary<infer List> ? List : never;

/** A session as it goes on, with a client that prompts and cancels. */
function live(list: Steps): RememberingAgent {
  const agent = new RememberingAgent();
  let turn = 0;
  for (const one of list) {
    if (one.step === "tell") agent.send(one.update);
    else if (one.step === "cancel") {
      agent.events.push({ type: "cancelled" });
      agent.cancelAll();
      agent.send(one.update);
    } else {
      const messageId = `prompt ${++turn}`;
      const accepted = { type: "turn_accepted", turn, messageId } as const;
      agent.events.push({ type: "turn_started", turn, prompt: one.prompt });
      if (one.first === "answer") agent.events.push(accepted);
      if (one.inChunks) {
        for (const content of one.prompt) agent.send({ sessionUpdate: "user_message_chunk", messageId, content });
      } else agent.send({ sessionUpdate: "user_message", messageId, content: one.prompt });
      if (one.first !== "answer") agent.events.push(accepted);
    }
  }
  return agent;
}

/**
 * All that there is to show, whatever it came in. Null is the same as nothing. A replay does not repeat what was announced of
 * a call and replaced since.
 */
function shown(state: SessionState): unknown {
  const terminals = state.terminals.slice().map(({ output, ...rest }) => ({ ...rest, output: terminalText(output) }));
  const all = { ...state, terminals, turns: undefined, continuation: undefined };
  return JSON.parse(
    JSON.stringify(all, (name, value: unknown) => (name === "earlier" ? undefined : (value ?? undefined))),
  );
}

const choices = fc.infiniteStream(fc.boolean());

test("a replayed session has the state of the live session", () => {
  fc.assert(
    fc.property(steps, choices, (list, inChunks) => {
      const agent = live(list);
      const replayed = stateAfter(agent.replay(() => inChunks.next().value === true));
      expect(shown(replayed)).toEqual(shown(stateAfter(agent.events)));
    }),
    { numRuns: 300 },
  );
});

test("a replay on top of a known state changes nothing, and restores work that the end of the program had ended", () => {
  fc.assert(
    fc.property(steps, choices, fc.boolean(), (list, inChunks, hasEnded) => {
      const agent = live(list);
      const known = stateAfter(agent.events);
      const left = hasEnded ? reduceSession(known, { type: "closed" }) : known;
      const replay = agent.replay(() => inChunks.next().value === true);
      expect(shown(stateAfter(replay, left))).toEqual(shown(known));
    }),
    { numRuns: 300 },
  );
});
