import type { RunCommand } from "../cli/command.ts";
import { endSession } from "./end-session.ts";

export const run: RunCommand = (args, streams) =>
  endSession(args, streams, (journal, session) => journal.remove(session));
