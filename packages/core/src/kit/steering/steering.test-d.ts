// What the compiler promises about steering. Checked by `tsc`; a stale line fails it.
import { createAgent as createAgentV2, type ClientSession as ClientSessionV2 } from "../../v2/entry.ts";
import {
  createAgent,
  createAgentFor,
  createClientFor,
  extend,
  v1,
  type ClientSession,
  type ConnectedAgent,
} from "../../v1/index.ts";
import {
  canSteer,
  receiveSteering,
  steer,
  steeringMeta,
  steeringMethods,
  steeringOf,
  type SteeringOutcome,
} from "./steering.ts";

const info = { name: "x", version: "1" };

createAgent({
  info,
  _meta: steeringMeta,
  session: () => ({ count: 0 }),
  handlers: {
    "_session/steering": receiveSteering,
    "session/prompt": async ({ prompt }, { turn, session }) => {
      session.state.count += prompt.length;
      for await (const blocks of steeringOf(turn)) {
        await turn.message(blocks[0]?.type === "text" ? blocks[0].text : "");
        // @ts-expect-error no such member
        blocks.lenght;
      }
      for (const blocks of steeringOf(turn).take()) blocks.length.toFixed();
      return { stopReason: "end_turn" };
    },
  },
});

createAgentV2({
  info,
  _meta: steeringMeta,
  handlers: {
    "_session/steering": receiveSteering,
    "session/prompt": async (_params, { turn }) => {
      for await (const blocks of steeringOf(turn)) await turn.message(String(blocks.length));
      return { stopReason: "end_turn" };
    },
  },
});

const steered = extend(v1, steeringMethods);
createAgentFor(steered)({
  info,
  handlers: { "_session/steering": receiveSteering, "session/prompt": () => ({ stopReason: "end_turn" }) },
});
createClientFor(steered)({ info });

export async function use(agent: ConnectedAgent, session: ClientSession, newer: ClientSessionV2): Promise<void> {
  const can: boolean = canSteer(agent);
  const outcome: SteeringOutcome = await steer(session, can ? "text" : [{ type: "text", text: "" }]);
  // @ts-expect-error no such outcome
  if (outcome === "taken") return;
  await steer(newer, "text", { signal: new AbortController().signal });
}
