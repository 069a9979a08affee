import type { Transport } from "@acp/core";
import { type RecordedMessage, recordTraffic } from "@acp/record";
import { compareRecordings, comparisonLines } from "@acp/record/compare";
import { spawnTransport } from "#runtime";
import { cutLine, printable, printableLine } from "@acp/render/text";

import { type AgentSelectionValues, selectAgent } from "../agents/agent-selection.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import type { Streams } from "../cli/streams.ts";
import { classifyFailure } from "../protocol/failure.ts";
import { nameProgram } from "../protocol/name-program.ts";
import { launchSettings } from "../agents/launch-settings.ts";

/** What is played to which agent. */
export interface ClientReplay {
  readonly recording: readonly RecordedMessage[];
  /** The client of the recording. */
  readonly replay: Transport;
  /** How long both may be silent, in milliseconds. */
  readonly patience: number;
  readonly values: AgentSelectionValues & { readonly framing?: string | undefined; readonly "only-kinds": boolean };
  readonly command: readonly string[] | undefined;
}

/** Plays the client of a recording to an agent, and prints how the agent differs from the recorded one. */
export async function replayAsClient(
  { recording, replay, patience, values, command }: ClientReplay,
  streams: Streams,
): Promise<number> {
  const launch = await resolveAgent(selectAgent(values, command, process.cwd()), streams);
  const { agent: program, framing } = launchSettings(values, launch);
  const stderr: string[] = [];
  const onStderr = (line: string): void => void stderr.push(line);
  const agent = await spawnTransport({ ...program, framing, onStderr }).catch((error: unknown) => {
    throw ProgramFailure.of(classifyFailure(error), error);
  });
  const said: RecordedMessage[] = [];
  const stuck = await play(replay, agent, { patience, record: recordTraffic((entry) => said.push(entry)) });
  const onlyKinds = values["only-kinds"];
  const comparison = compareRecordings(recording, said, { side: "agent", onlyKinds });
  const { differences } = comparison;
  streams.output.write(
    comparisonLines(comparison, { onlyKinds })
      .map((line) => `${cutLine(printable(line))}\n`)
      .join(""),
  );
  if (stuck !== undefined) {
    const [reason = ""] = stuck.split("\n");
    const last = stderr.at(-1);
    const advice = last === undefined ? undefined : `The agent's last line on stderr: ${printableLine(last)}`;
    throw new ProgramFailure(`The replay got stuck: ${printableLine(reason)}`, ExitCode.failure, advice);
  }
  if (differences > 0) return ExitCode.failure;
  streams.output.write(`The agent said the same as in the recording: ${said.length} messages\n`);
  return ExitCode.endTurn;
}

/**
 * Passes messages between the replayed client and the agent until one of them ends. Returns why the client did not get to its
 * end; `undefined` if it did.
 */
function play(
  client: Transport,
  agent: Transport,
  { patience, record }: { readonly patience: number; readonly record: ReturnType<typeof recordTraffic> },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let outcome: { readonly stuck: string | undefined } | undefined;
    const end = (stuck: string | undefined): void => {
      outcome ??= { stuck };
      clearTimeout(timer);
      void client.close();
      // The agent's last words come before its end.
      void agent.close();
    };
    const timer = setTimeout(() => end(`nothing came from the agent for ${patience / 1000} s`), patience);
    client.start({
      message(text) {
        timer.refresh();
        send(agent, text);
      },
      issue: () => {},
      closed: (reason) => end(reason && nameProgram(reason)),
    });
    agent.start({
      message(text) {
        timer.refresh();
        record("received", text);
        send(client, text);
      },
      issue: () => {},
      closed(reason) {
        end(reason === undefined ? "the agent closed the connection" : nameProgram(reason));
        resolve(outcome?.stuck);
      },
    });
  });
}

/** Sends a message; one for a side that has ended is lost. */
function send(target: Transport, text: string): void {
  try {
    target.send(text, "soon")?.catch(() => {});
  } catch {
    // Its end is reported by `closed`.
  }
}
