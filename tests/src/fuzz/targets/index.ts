import type { Target } from "../target.ts";
import { agentTarget, clientTarget } from "./connections.ts";
import { decodersTarget1, decodersTarget2 } from "./decoders.ts";
import { eventStreamTarget } from "./event-stream.ts";
import { contentLengthTarget, ndjsonTarget } from "./framers.ts";
import { httpServerTarget } from "./http-server.ts";

/** Everything that reads bytes from outside. */
export const targets: readonly Target[] = [
  ndjsonTarget,
  contentLengthTarget,
  eventStreamTarget,
  decodersTarget1,
  decodersTarget2,
  agentTarget,
  clientTarget,
  httpServerTarget,
];

export function targetNamed(name: string): Target {
  const target = targets.find((each) => each.name === name);
  if (target === undefined)
    throw new Error(`There is no target ${name}. There are: ${targets.map((each) => each.name).join(", ")}`);
  return target;
}
