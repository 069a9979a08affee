import { relative } from "node:path";

import { visibleText } from "@acp/core/state";

import type { AskedAction } from "./question.ts";
import { saysCommand } from "./says-command.ts";

/** The rest of a permission request, one line each, without what the title or the heading of the call says. */
export function describeAsked(asked: AskedAction, cwd: string, heading: string): readonly string[] {
  const { title, description, commands, directories, paths, details } = asked;
  const isNew = (text: string): boolean => !title.includes(text) && !heading.includes(visibleText(text));
  const isNewPath = (path: string): boolean => isNew(path) && isNew(relative(cwd, path) || path);
  return [
    ...(description === undefined ? [] : [description]),
    ...commands.filter((command) => !saysCommand(title, command)).map((command) => `$ ${command}`),
    ...directories.filter((directory) => directory !== cwd && !title.includes(directory)).map((one) => `in ${one}`),
    ...paths.filter(isNewPath),
    ...details.filter(({ value }) => !title.includes(value)).map(({ name, value }) => `${name}: ${value}`),
  ];
}
