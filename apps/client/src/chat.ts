import * as module from "node:module";
import { join } from "node:path";

import type { RunCommand } from "./cli/command.ts";
import { foldersOf } from "./agents/folders.ts";
import { isInteractive, type Streams } from "./cli/streams.ts";
import { parseCommandLine, type RunOptions } from "./chat/chat-options.ts";
import type { Session } from "./protocol/agent.ts";

/** `acp` without the name of a command. */
export const run: RunCommand = async (args, streams) => {
  const request = parseCommandLine(args);
  const { session: name, cwd } = request;
  const named =
    name === undefined ? undefined : new (await import("./sessions/named-run.ts")).NamedRun(name, cwd, streams.env);
  try {
    const { launch, settings } = await request.resolve(streams, named?.known?.agent);
    named?.requireAgent(launch);
    const opened = (session: Session): void => named?.save(session, launch, settings);
    const load = named?.known?.sessionId ?? request.load;
    return await chat({ ...request, ...settings, load, opened }, streams);
  } finally {
    named?.close();
  }
};

async function chat(options: RunOptions, streams: Streams): Promise<number> {
  if (hasUserInterface(options, streams)) {
    const { uiSettingsOf } = await import("./agents/config/find-configs.ts");
    const { plain = false, thoughts = "folded" } = uiSettingsOf(options.cwd, streams.env);
    if (plain) return (await import("./plain/run-client.ts")).runClient(options, streams);
    keepCompiledCode(foldersOf(streams.env).cache);
    const { runUi } = await import("./ui/run-ui.ts");
    return runUi({ ...options, thoughts }, streams);
  }
  const { runClient } = await import("./plain/run-client.ts");
  return runClient(options, streams);
}

/** Whether the user interface can be shown, and nobody wants lines instead. */
function hasUserInterface({ plain, prompt, interactive }: RunOptions, streams: Streams): boolean {
  if (plain || interactive || prompt !== undefined || !isInteractive(streams)) return false;
  return streams.env["TERM"] !== "dumb";
}

/**
 * Keeps the compiled code of this program in `folder`, on runtimes that can: it starts in two thirds of the time then. The folder
 * has to be the user's own: who writes there can run code.
 */
export function keepCompiledCode(folder: string): void {
  const { enableCompileCache }: Partial<typeof module> = module;
  enableCompileCache?.(join(folder, "compiled"));
}
