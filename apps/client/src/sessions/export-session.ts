import { once } from "node:events";

import type { RunCommand } from "../cli/command.ts";
import { ExitCode } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import type { Streams } from "../cli/streams.ts";
import { MarkdownLog } from "./markdown-log.ts";
import { findSession } from "./find-session.ts";
import { SessionStore, readEvents } from "./session-store.ts";
import { exportSpec } from "./sessions-spec.ts";
import { jsonText } from "../text/json-text.ts";

export const run: RunCommand = async (args, { output, env }) => {
  const { values, positionals } = parseOptions(args, exportSpec.options);
  const store = new SessionStore(env);
  const session = findSession(store, positionals, values.cwd);
  const markdown = values.format === "json" ? undefined : new MarkdownLog(session);
  if (markdown !== undefined) await write(output, markdown.heading());
  for await (const event of readEvents(store.eventsOf(session)))
    await write(output, markdown === undefined ? `${jsonText(event)}\n` : markdown.add(event));
  if (markdown !== undefined) await write(output, markdown.end());
  return ExitCode.endTurn;
};

async function write(output: Streams["output"], text: string): Promise<void> {
  if (text !== "" && !output.write(text)) await once(output, "drain");
}
