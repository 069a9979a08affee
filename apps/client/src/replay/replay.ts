import { readFileSync } from "node:fs";

import { createReplayTransport, parseRecording } from "@acp/record";

import { framingOf } from "../agents/launch-settings.ts";
import { CommandLineError, ExitCode, ProgramFailure } from "../cli/exit.ts";
import type { RunCommand } from "../cli/command.ts";
import { optionError, parseOptions } from "../cli/options.ts";
import { replaySpec } from "./replay-spec.ts";

/** How long the client waits for a message of the recording that does not come, in seconds: a model may think for a while. */
const clientPatience = 60;

/** The longest delay of a timer, in milliseconds. */
const longestDelay = 2 ** 31 - 1;

export const run: RunCommand = async (args, streams) => {
  const { values, positionals, rest } = parseOptions(args, replaySpec.options);
  const [file, surplus] = positionals;
  if (file === undefined) throw new CommandLineError("The recording is missing. Name its file, such as session.jsonl");
  if (surplus !== undefined)
    throw new CommandLineError(`Unexpected argument '${surplus}'. Play one recording at a time`);
  const speed = numberOf("speed", values.speed);
  const seconds = numberOf("patience", values.patience);
  if (values["as-client"]) {
    const patience = Math.min(1000 * (seconds ?? clientPatience), longestDelay);
    const recording = readRecording(file);
    const replay = openReplay(file, () => createReplayTransport(recording, { as: "client", speed, patience }));
    const { replayAsClient } = await import("./replay-as-client.ts");
    return replayAsClient({ recording, replay, patience, values, command: rest }, streams);
  }
  if (rest !== undefined || values.agent !== undefined)
    throw new CommandLineError("A replay as the agent starts no agent. Add --as-client to play the client to it");
  if (values["only-kinds"]) throw new CommandLineError("--only-kinds compares an agent. Add --as-client");
  const patience = seconds === undefined ? Infinity : 1000 * seconds;
  const replay = openReplay(file, () => createReplayTransport(readRecording(file), { speed, patience }));
  const [{ createProxy }, { serveStdio }] = await Promise.all([import("@acp/proxy"), import("#runtime")]);
  // Behind a proxy, requests that wait when the replay gives up are answered with its reason.
  await serveStdio(createProxy({ connect: () => replay }), { framing: framingOf(values.framing) });
  return ExitCode.endTurn;
};

function numberOf(name: "speed" | "patience", value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (number > 0) return number;
  throw optionError(replaySpec.options, name, `--${name} cannot be '${value}'. Use a number above 0`);
}

const readRecording = (file: string): ReturnType<typeof parseRecording> =>
  openReplay(file, () => parseRecording(readFileSync(file, "utf8")));

/** @throws {ProgramFailure} for a file that cannot be read, or is no recording of a whole connection. */
function openReplay<Result>(file: string, open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    if (error instanceof ProgramFailure) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProgramFailure(`Cannot replay ${file}: ${reason}`, ExitCode.failure, advice, error);
  }
}

const advice = "Make a recording with acp record, or with --trace.";
