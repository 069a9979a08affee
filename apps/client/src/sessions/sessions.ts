import { CommandLineError } from "../cli/exit.ts";
import type { RunCommand } from "../cli/command.ts";

/** `acp sessions`. */
export const run: RunCommand = async (args, streams) => {
  const [name, ...rest] = args;
  switch (name) {
    case "list":
      return (await import("./list-sessions.ts")).listSessions(rest, streams);
    case "show":
      return (await import("./show-session.ts")).showSession(rest, streams);
    case "export":
      return (await import("./export-session.ts")).exportSession(rest, streams);
    case "delete":
      return (await import("./delete-session.ts")).deleteSession(rest, streams);
    default:
      throw new CommandLineError("What shall it do? Use list, show, export or delete");
  }
};
