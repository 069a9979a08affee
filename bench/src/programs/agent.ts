/** `agent <contestant>`: an agent over stdio. */
import process from "node:process";

import { contestant, isContestantName } from "../contestants/contestants.ts";
import { agentWork } from "../workload/agent-work.ts";

const [name = ""] = process.argv.slice(2);
if (!isContestantName(name)) throw new Error(`No such contestant: ${name}`);
await (await contestant(name)).serve(agentWork);
