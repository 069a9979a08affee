// An agent whose options are all null, as those of a program without types may be.
import { type AgentOptions, createAgent } from "@acp/core";
import {
  createSettings,
  readTextFile,
  runCommand,
  type RunCommandOptions,
  type SettingsDefinition,
  type SettingsOptions,
} from "@acp/core/agent";
import type { ServeStdioOptions } from "@acp/host";
import type { AgentMethods, ClientMethods } from "@acp/schema/v1/types";
import { serveStdio } from "#runtime";

type Optional = Omit<AgentOptions<AgentMethods, ClientMethods, undefined, object>, "info" | "handlers">;

const options: Record<keyof Optional, null> = {
  connected: null,
  session: null,
  sessionId: null,
  capabilities: null,
  authMethods: null,
  onUpdate: null,
  overlappingPrompts: null,
  maxIncomingRequests: null,
  maxIncomingSize: null,
  resolvePath: null,
  _meta: null,
  gate: null,
  validate: null,
  onDiagnostic: null,
};
const serveOptions: Record<keyof ServeStdioOptions, null> = {
  framing: null,
  maxMessageBytes: null,
  onTraffic: null,
  onDiagnostic: null,
  exitGrace: null,
  handleSignals: null,
  signal: null,
};
const settingsOptions: Record<keyof SettingsOptions, null> = { onChange: null };
const definition: Record<keyof SettingsDefinition, null> = { modes: null, configOptions: null };
const commandOptions: Record<keyof Omit<RunCommandOptions, "command">, null> = {
  args: null,
  env: null,
  cwd: null,
  outputByteLimit: null,
  timeout: null,
  call: null,
  fallback: null,
};
const settings = createSettings(definition as never, settingsOptions as never);

const agent = createAgent({
  ...(options as object),
  info: { name: "null-options", version: "1" },
  handlers: {
    ...settings.handlers,
    "session/load": null as never,
    "session/prompt": async (_, { turn, client, session }) => {
      const call = await turn.toolCall({ title: "Read", toolCallId: null as never, content: null as never });
      const path = `${session.cwd}/notes.txt`;
      await client.request("fs/write_text_file", { path, content: "noted" });
      const content = await readTextFile(turn, path, null as never);
      await call.complete(null as never, null as never);
      const { output } = await runCommand(turn, { ...(commandOptions as object), command: "pwd" });
      await turn.message(`${content} in ${output.trim() === session.cwd ? "the session" : output}`, null as never);
      return { stopReason: "end_turn" };
    },
  },
});
// For a client without a listener for it.
process.stderr.write("started\n");
await serveStdio(agent, serveOptions as object);
