// `open-agent.ts <agent> [client options]`: opens an agent in the client, for a person. `--cwd` is taken.
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";

import { clientProgram } from "../../../support/main-job-programs.ts";
import { serveModel } from "../../../support/models/model-server.ts";
import { agentsUnderTest } from "../agents-under-test.ts";
import { playedTurns } from "../played-turns.ts";
import { prepareAgent } from "../prepare-agent.ts";

const [name, ...options] = process.argv.slice(2);
const agent = agentsUnderTest.find((one) => one.name === name);
if (agent === undefined) throw new Error(`Which agent? There are ${agentsUnderTest.map((one) => one.name).join(", ")}`);

await using model = await serveModel(playedTurns);
using prepared = await prepareAgent(agent, model.url);
console.log(`The model plays these prompts:\n${playedTurns.map(({ prompt }) => `  ${prompt}\n`).join("")}`);
const args = [clientProgram, "--cwd", prepared.project, ...options, "--", ...prepared.command];
const client = spawn(process.execPath, args, { stdio: "inherit" });
// Ctrl-C is for the client.
process.on("SIGINT", () => {});
const [code] = (await once(client, "exit")) as [number | null];
process.exitCode = code ?? 1;
