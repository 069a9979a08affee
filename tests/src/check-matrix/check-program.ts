import process from "node:process";

import { checkAgent, checkClient, type CheckReport } from "@acp/check";

import { prepareAgent, type PreparedAgent } from "../interop/agents/prepare-agent.ts";
import { writeFile } from "../interop/agents/played-turns.ts";
import { serveModel } from "../support/models/model-server.ts";
import { type CheckedProgram, writeLong } from "./checked-programs.ts";

/** How a run is made. */
export interface RunSettings {
  /** How many checks run at the same time. */
  readonly jobs: number;
  /** How long a single answer may take, in milliseconds: real agents start a model's whole toolbox first. */
  readonly timeout: number;
  readonly only?: readonly string[];
}

/**
 * Installs a program and runs all checks of its side on it.
 *
 * @throws if it cannot be installed or started.
 */
export async function checkProgram(
  program: CheckedProgram,
  protocol: 1 | 2,
  settings: RunSettings,
): Promise<CheckReport> {
  await using model = await serveModel([writeLong, writeFile]);
  using prepared = await prepareAgent(program, model.url);
  let done = -1;
  const onProgress = (now: number, all: number): void => {
    if (process.stderr.isTTY && now !== done) process.stderr.write(`\r${program.name}: ${now} of ${all} checks `);
    done = now;
  };
  const common = { ...settings, protocol, framing: "ndjson", seed: 1, onProgress } as const;
  const report = await (program.side === "client"
    ? checkClient({ ...common, command: prepared.command, cwd: prepared.project, cancel: program.cancel ?? "SIGINT" })
    : checkAgent({ ...common, target: targetOf(prepared), cwd: prepared.project, prompts: promptsOf(program) }));
  if (process.stderr.isTTY) process.stderr.write("\n");
  return withoutPlaces(report, prepared);
}

function targetOf({ command: [command = "", ...args] }: PreparedAgent): { command: string; args: readonly string[] } {
  return { command, args };
}

function promptsOf({ prompts = { short: "Say hello." } }: CheckedProgram): NonNullable<CheckedProgram["prompts"]> {
  return prompts;
}

/** A report without the names of folders of this machine and this run. */
function withoutPlaces(report: CheckReport, { folder, modules }: PreparedAgent): CheckReport {
  const places = { [folder]: "{run}", [modules]: "{installed}", [process.cwd()]: "{repository}" };
  const text = Object.entries(places).reduce(
    (result, [place, word]) => result.replaceAll(JSON.stringify(place).slice(1, -1), word),
    JSON.stringify(report),
  );
  return JSON.parse(text) as CheckReport;
}
