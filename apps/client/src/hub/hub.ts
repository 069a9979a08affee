import { createFileJournal, createHub, processKeepers, serveLocally } from "@acp/hub";
import { fileURLToPath } from "node:url";

import * as runtime from "#runtime";

import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import type { RunCommand } from "../cli/command.ts";
import { optionError, parseOptions } from "../cli/options.ts";
import { permissionsOf } from "../protocol/permission/settings.ts";
import { untilSignal } from "../serve/serve.ts";
import { cutLine, printableLine } from "../text/printable.ts";
import { scriptCommand } from "./script-command.ts";
import { hubFolder, journalFolder, keepersFolder, type KeeperSettings } from "./hub-folder.ts";
import { hubSpec } from "./hub-spec.ts";

export const run: RunCommand = async (args, streams) => {
  const { values } = parseOptions(args, hubSpec.options);
  const folder = hubFolder(values.folder, streams.env);
  const { policy, allow, yes, "allow-read": read, "allow-edit": edit, "allow-command": command } = values;
  const permissions = { policy, allow, yes, "allow-read": read, "allow-edit": edit, "allow-command": command };
  // Wrong options are better found here than by each keeper.
  permissionsOf(permissions, { cwd: process.cwd() });
  const more: KeeperSettings = { folder, permissions };
  const say = (line: string): void => void streams.error.write(`${cutLine(printableLine(line))}\n`);
  const hub = createHub({
    journal: createFileJournal(journalFolder(folder)),
    runtime,
    keepers: processKeepers({
      command: scriptCommand(fileURLToPath(new URL("keeper.js", import.meta.url))),
      folder: keepersFolder(folder),
      limits: { idleTime: idleTime(values.idle) },
      more,
    }),
    onProblem: (message, error) => {
      if (values.verbose) say(`! ${message}: ${error instanceof Error ? error.message : String(error)}`);
    },
  });
  const server = await serveLocally(hub, folder);
  if (server === undefined) {
    await hub.close();
    throw new ProgramFailure("A hub runs already for this folder", ExitCode.failure, "acp hub ls lists its sessions");
  }
  say(`The hub keeps its sessions in ${folder}`);
  say("acp attach <agent> connects an editor to it, acp --hub <agent> this terminal. Ctrl-C ends it");
  await untilSignal();
  say("The agents go on: the next hub finds them");
  await server.close();
  await hub.close();
  return ExitCode.endTurn;
};

function idleTime(minutes: string | undefined): number | undefined {
  if (minutes === undefined) return undefined;
  if (/^\d+(?:\.\d+)?$/u.test(minutes)) return Number(minutes) * 60_000;
  throw optionError(hubSpec.options, "idle", `--idle cannot be '${minutes}'. Use a number of minutes`);
}
