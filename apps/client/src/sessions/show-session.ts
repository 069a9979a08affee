import { redactLine } from "@acp/record";
import { cutLine, printableLine } from "@acp/render/text";

import type { RunCommand } from "../cli/command.ts";
import { ExitCode } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import { columns } from "../text/table.ts";
import { findSession } from "./find-session.ts";
import { SessionStore, readEvents, textOf } from "./session-store.ts";
import { describeAgent } from "./named-session.ts";
import { showSpec } from "./sessions-spec.ts";
import { jsonText } from "../text/json-text.ts";

/** A run in a few words. */
interface Run {
  readonly time: string;
  prompt: string;
  stopReason: string | null;
  exitCode: number | null;
}

/** How much of a prompt is shown, in characters. */
const promptLength = 80;

export const run: RunCommand = async (args, streams) => {
  const { values, positionals } = parseOptions(args, showSpec.options);
  const store = new SessionStore(streams.env);
  const session = findSession(store, positionals, values.cwd);
  const runs: Run[] = [];
  for await (const event of readEvents(store.eventsOf(session))) {
    if (event.type === "start")
      runs.push({ time: textOf(event, "time"), prompt: "", stopReason: null, exitCode: null });
    const last = runs.at(-1);
    if (last === undefined) continue;
    if (event.type === "prompt") last.prompt = textOf(event, "text");
    if (event.type !== "end") continue;
    last.stopReason = textOf(event, "stopReason") || null;
    last.exitCode = typeof event["exitCode"] === "number" ? event["exitCode"] : null;
  }
  if (values.json) {
    streams.output.write(`${jsonText({ ...session, runs })}\n`);
    return ExitCode.endTurn;
  }
  const facts = [
    ["Name", session.name],
    ["Title", session.title ?? ""],
    ["Agent", redactLine(describeAgent(session.agent))],
    ["Session", session.sessionId],
    ["Directory", session.cwd],
    ["Created", session.createdAt],
    ["Used", session.updatedAt],
  ].filter(([, value]) => value !== "");
  const lines = [...columns(facts.map((fact) => fact.map(printableLine))), "", ...runs.map(describeRun)];
  streams.output.write(`${lines.join("\n").trimEnd()}\n`);
  return ExitCode.endTurn;
};

function describeRun({ time, prompt, stopReason, exitCode }: Run): string {
  const words = printableLine(prompt);
  const short = words.length > promptLength ? `${words.slice(0, promptLength)}…` : words;
  const end = exitCode === null ? "did not end" : `${stopReason ?? "failed"}, exit code ${exitCode}`;
  return cutLine(`${time.slice(0, 16).replace("T", " ")}  ${short}  (${printableLine(end)})`);
}
