import type { UiSettings } from "./agents/config/config.ts";
import { uiSettingsOf } from "./agents/config/find-configs.ts";
import type { NamedAgent } from "./agents/launch.ts";
import { type ChatRequest, parseCommandLine } from "./chat/chat-options.ts";
import type { RunCommand } from "./cli/command.ts";
import { ExitCode } from "./cli/exit.ts";
import { isInteractive, type Streams } from "./cli/streams.ts";

export const run: RunCommand = async (args, streams) => {
  const request = parseCommandLine(args);
  const { selection, isContinued, session } = request;
  if (isContinued) {
    const { lastSession } = await import("./sessions/find-session.ts");
    return chat(request, { name: lastSession(selection, streams.env).name }, streams);
  }
  const isOpen = selection.name === undefined && selection.command === undefined && session === undefined;
  if (!isOpen || userInterface(request, streams) === undefined) return chat(request, { name: session }, streams);
  const { chooseAgent } = await import("./first-contact.ts");
  const chosen = await chooseAgent(selection, streams);
  return chosen === "none" ? ExitCode.cancelled : chat(request, { agent: chosen }, streams);
};

/** The session to go on in or to begin, by its name; and the agent, where the command line chooses none. */
interface Start {
  readonly name?: string | undefined;
  readonly agent?: NamedAgent | undefined;
}

export async function chat(request: ChatRequest, { name, agent }: Start, streams: Streams): Promise<number> {
  const { SessionRecorder } = await import("./sessions/session-recorder.ts");
  const recorder = new SessionRecorder({ cwd: request.cwd, env: streams.env, name });
  try {
    const { launch, settings } = await request.resolve(streams, recorder.known?.agent ?? agent);
    recorder.use(launch, settings);
    const options = { ...request, ...settings };
    const ui = userInterface(request, streams);
    if (ui !== undefined) {
      const { thoughts = "folded", notifications = true } = ui;
      const { runUi } = await import("./ui/run-ui.ts");
      return await runUi({ ...options, thoughts, notifications }, streams, recorder);
    }
    const { runClient } = await import("./plain/run-client.ts");
    return await runClient(options, streams, recorder);
  } finally {
    recorder.close();
  }
}

/** The settings of the user interface; `undefined` if it cannot be shown, or the user wants lines instead. */
export function userInterface(
  { plain, prompt, interactive, cwd }: ChatRequest,
  streams: Streams,
): UiSettings | undefined {
  if (plain || interactive || prompt !== undefined || !isInteractive(streams) || streams.env["TERM"] === "dumb")
    return undefined;
  const settings = uiSettingsOf(cwd, streams.env);
  return settings.plain === true ? undefined : settings;
}
