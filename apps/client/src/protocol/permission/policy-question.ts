import type { PolicyAction } from "#runtime";
import type { AskedAction, QuestionFact } from "@acp/render";

import { commandLineOf } from "../../text/command-line-of.ts";

/** What a policy asks about: a command that is going to run, or a file. Other than a title, all of it is so. */
export function askedOfPolicy(action: PolicyAction): AskedAction {
  const { source, kinds, variables } = action;
  const [kind = "other"] = kinds;
  const isCommand = source === "terminal";
  const commands = action.commands.map((command) => (typeof command === "string" ? command : commandLineOf(command)));
  const places = [...action.paths, ...action.unresolved.filter((path) => path !== "")];
  const [directories, paths] = isCommand ? [places, []] : [[], places];
  const all = (about: "command" | "directory" | "path", values: readonly string[]): QuestionFact[] =>
    values.map((value) => ({ about, value, isEarlier: false }));
  return {
    title: isCommand ? "The agent runs a command" : `The agent wants to ${kind} a file`,
    description: undefined,
    kind,
    commands,
    directories,
    paths,
    variables,
    details: [],
    content: [],
    facts: [
      ...all("command", commands),
      ...all("directory", directories),
      ...all("path", paths),
      ...variables.map(({ name, value }) => ({ about: "variable", name, value, isEarlier: false }) as const),
    ],
  };
}
