import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { type ContestantName } from "../contestants/contestants.ts";
import type { Scenario } from "../workload/scenario.ts";
import type { Measurement, Order } from "./order.ts";
import { commandOn, type RuntimeName } from "./runtimes.ts";

const run = promisify(execFile);
const clientProgram = fileURLToPath(new URL("../programs/client.js", import.meta.url));

/** Serves as any contestant. */
export const agentProgram: string = fileURLToPath(new URL("../programs/agent.js", import.meta.url));

/** Runs a scenario once, in fresh processes. */
export async function measure(runtime: RuntimeName, name: ContestantName, scenario: Scenario): Promise<Measurement> {
  const agent = commandOn(runtime, agentProgram, [name]);
  const order: Order = { agent, work: scenario.work, inProcess: scenario.inProcess ?? false };
  const [command = "", ...args] = commandOn(runtime, clientProgram, [name, JSON.stringify(order)]);
  const { stdout } = await run(command, args, { timeout: 300_000, killSignal: "SIGKILL" });
  return JSON.parse(stdout) as Measurement;
}
