import type { RunCommand } from "../../cli/command.ts";

/** `acp agents`: `list` is the default. */
export const run: RunCommand = async (args, streams) => {
  const [word = "", ...others] = args;
  const load = Object.hasOwn(parts, word) ? parts[word] : undefined;
  if (load !== undefined) return (await load()).run(others, streams);
  return (await import("./list.ts")).run(args, streams);
};

const parts: Readonly<Record<string, () => Promise<{ readonly run: RunCommand }>>> = {
  list: () => import("./list.ts"),
  add: () => import("./add.ts"),
  remove: () => import("./remove.ts"),
  default: () => import("./default.ts"),
};
