/** `client <contestant> <order as JSON>`: runs one scenario once; prints what it measured as a line of JSON. */
import process from "node:process";

import { contestant, isContestantName } from "../contestants/contestants.ts";
import { agentWork } from "../workload/agent-work.ts";
import { Driver } from "../workload/drive.ts";
import { peakMemory } from "../workload/memory.ts";
import type { Measurement, Order } from "../run/order.ts";

const [name = "", text = "{}"] = process.argv.slice(2);
if (!isContestantName(name)) throw new Error(`No such contestant: ${name}`);
const { agent: command, work, inProcess } = JSON.parse(text) as Order;
const library = await contestant(name);
const driver = new Driver();
const agent = inProcess ? await library.pair?.(agentWork, driver.hooks) : await library.start(command, driver.hooks);
if (agent === undefined) throw new Error(`${name} has no pair in one process`);
// A little of the same first, so that both sides have seen each kind of message.
await driver.run(agent, work.kind === "large" ? { ...work, bytes: 1_000, times: 1 } : { ...work, count: 1_000 });
const milliseconds = await driver.run(agent, work);
const measurement: Measurement = {
  milliseconds,
  clientPeak: peakMemory(),
  agentPeak: inProcess ? peakMemory() : await driver.agentMemory(agent),
};
await agent.close();
process.stdout.write(`${JSON.stringify(measurement)}\n`);
