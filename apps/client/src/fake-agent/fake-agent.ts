import { readFileSync } from "node:fs";

import { type AgentScript, fakeAgent } from "@acp/testing";
import { serveAgent } from "@acp/testing/process";

import schema from "../../schema/fake-agent.schema.json" with { type: "json" };
import type { Schema } from "../agents/config/check-shape.ts";
import { parseBySchema } from "../agents/config/read-config.ts";
import { framingOf } from "../agents/launch-settings.ts";
import type { RunCommand } from "../cli/command.ts";
import { CommandLineError, wrongConfiguration } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import { fakeAgentSpec } from "./fake-agent-spec.ts";

export const run: RunCommand = async (args) => {
  const { values, positionals } = parseOptions(args, fakeAgentSpec.options);
  const [file, surplus] = positionals;
  if (file === undefined) throw new CommandLineError("The script is missing. Name its file, such as script.json");
  if (surplus !== undefined) throw new CommandLineError(`Unexpected argument '${surplus}'. Play one script at a time`);
  const script = readScript(file);
  const protocol = values.protocol === undefined ? script.protocol : values.protocol === "2" ? 2 : 1;
  await serveAgent(fakeAgent(script, { protocol, framing: framingOf(values.framing) }));
  return 0;
};

/** @throws {ProgramFailure} with the line, the member and the reason. */
function readScript(file: string): AgentScript {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw wrongConfiguration(`The script cannot be read: ${reason}`, "Name a file with a script", error);
  }
  const script = parseBySchema(text, file, schema as Schema, "The script") as Partial<AgentScript>;
  if (script.prompts === undefined)
    throw wrongConfiguration(`${file} is empty`, 'Begin with { "prompts": [[{ "say": "Hi" }]] }');
  return { ...script, prompts: script.prompts };
}
