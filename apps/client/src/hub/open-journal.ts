import { createFileJournal, type Journal } from "@acp/hub";

import { CommandLineError, ExitCode, ProgramFailure } from "../cli/exit.ts";
import type { Environment } from "../cli/streams.ts";
import { journalFolder } from "./hub-folder.ts";

/** Where `--journal`, or the variable for those who do not want it among the processes of the machine, says to keep sessions. */
export function journalUrl(option: string | undefined, env: Environment): string | undefined {
  const url = option ?? env["ACP_JOURNAL"];
  return url === "" ? undefined : url;
}

/**
 * Opens the journal of a hub: in a database, or in its folder.
 *
 * @throws {CommandLineError} for a URL of something else.
 * @throws {ProgramFailure} if a package is missing.
 */
export async function openJournal(folder: string, url: string | undefined): Promise<Journal> {
  if (url === undefined) return createFileJournal(journalFolder(folder));
  const [scheme] = url.split(":");
  switch (scheme) {
    case "postgres":
    case "postgresql": {
      const { createPostgresJournal } = await installed(() => import("@acp/hub/postgres"), "pg");
      return createPostgresJournal(url);
    }
    case "redis":
    case "rediss": {
      const { createRedisJournal } = await installed(() => import("@acp/hub/redis"), "@redis/client");
      return createRedisJournal(url);
    }
    default:
      throw new CommandLineError("--journal takes a URL that begins with postgres:// or redis://");
  }
}

async function installed<Module>(load: () => Promise<Module>, name: string): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const message = `The journal needs the package ${name}, which is not installed beside acp`;
    throw new ProgramFailure(message, ExitCode.configuration, `npm install --global ${name}`, error);
  }
}
