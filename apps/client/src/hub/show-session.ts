import { processKeepers } from "@acp/hub";
import { redactLine } from "@acp/record";
import { printableLine } from "@acp/render/text";

import type { RunCommand } from "../cli/command.ts";
import { parseOptions } from "../cli/options.ts";
import { commandLineOf } from "../text/command-line-of.ts";
import { jsonText, membersOf } from "../text/json-text.ts";
import { columns } from "../text/table.ts";
import { questionWords, stateWords } from "./describe-entry.ts";
import { keepersFolder } from "./hub-folder.ts";
import { showHubSpec } from "./hub-spec.ts";
import { type NamedSession, withSession } from "./named-session.ts";
import { readEntries } from "./read-entries.ts";

/** Prints what there is to say of a session. */
export const run: RunCommand = (args, streams) => {
  const parsed = parseOptions(args, showHubSpec.options);
  return withSession(parsed, streams, async (named) => {
    const facts = await factsOf(named);
    const text = parsed.values.json ? jsonText(facts) : rowsOf(facts);
    streams.output.write(`${text}\n`);
  });
};

function rowsOf(facts: object): string {
  const rows = Object.entries(facts).flatMap(([name, value]) =>
    [value].flat().map((one) => [name.charAt(0).toUpperCase() + name.slice(1), printableLine(String(one))]),
  );
  return columns(rows).join("\n");
}

/** A session in words, by name. */
async function factsOf({ session, listed, journal, folder }: NamedSession): Promise<object> {
  let [prompts, entries, characters, state] = [0, 0, 0, ""];
  const asks = new Map<string, string>();
  for await (const { text, entry } of readEntries(journal, session)) {
    entries += 1;
    characters += text.length;
    if (entry?.t === "message") prompts += 1;
    else if (entry?.t === "state") state = stateWords(entry.state);
    else if (entry?.t === "ask") asks.set(entry.id, questionWords(entry.params));
    else if (entry?.t === "answered") asks.delete(entry.id);
  }
  const { agent, cwd, title, owner, createdAt, updatedAt, more } = listed;
  const { command, args } = membersOf(membersOf(more)["program"]);
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
  return {
    session,
    ...(title === undefined ? {} : { title }),
    agent,
    ...(words.length === 0 ? {} : { command: redactLine(commandLineOf(words)) }),
    folder: cwd,
    ...(owner === undefined ? {} : { owner }),
    created: createdAt.toISOString(),
    changed: updatedAt.toISOString(),
    keeper: (await isKept(folder, session)) ? "runs" : "does not run on this machine",
    ...(state === "" ? {} : { state }),
    questions: [...asks.values()],
    prompts,
    entries,
    characters,
  };
}

async function isKept(folder: string, session: string): Promise<boolean> {
  const keepers = processKeepers({ command: [process.execPath], folder: keepersFolder(folder) });
  try {
    return (await keepers.find(session, () => {})) !== undefined;
  } finally {
    await keepers.close();
  }
}
