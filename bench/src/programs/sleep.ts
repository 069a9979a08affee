/** `sleep <contestant> <agent command as JSON> <prompt>`: a client that sleeps while it is sent updates. */
import process from "node:process";

import { contestant, isContestantName } from "../contestants/contestants.ts";
import type { SleepMeasurement } from "../run/order.ts";
import { Driver } from "../workload/drive.ts";
import { peakMemory } from "../workload/memory.ts";

/** Long enough for a sender that nobody holds up to send all it has. */
const sleep = 4_000;

const [name = "", command = "[]", prompt = ""] = process.argv.slice(2);
if (!isContestantName(name)) throw new Error(`No such contestant: ${name}`);
const driver = new Driver();
let isFirst = true;
const agent = await (
  await contestant(name)
).start(JSON.parse(command) as string[], {
  ...driver.hooks,
  async update(update) {
    if (isFirst) await new Promise((resolve) => setTimeout(resolve, sleep));
    isFirst = false;
    await driver.hooks.update(update);
  },
});
await agent.prompt(await agent.newSession(), prompt);
const measurement: SleepMeasurement = { agentPeak: await driver.agentMemory(agent), clientPeak: peakMemory() };
await agent.close();
process.stdout.write(`${JSON.stringify(measurement)}\n`);
