import { createHub, processKeepers, serveLocally } from "@acp/hub";
import { fileURLToPath } from "node:url";

import * as runtime from "#runtime";
import { cutLine, printableLine } from "@acp/render/text";

import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import type { RunCommand } from "../cli/command.ts";
import type { Environment } from "../cli/streams.ts";
import { optionError, parseOptions } from "../cli/options.ts";
import { permissionsOf } from "../protocol/permission/settings.ts";
import { endpointPath } from "../serve/admission.ts";
import { requireOrigin, wholeNumber } from "../serve/serve-settings.ts";
import { authority, pageUrl, untilSignal } from "../serve/serve.ts";
import { chooseToken } from "../serve/token.ts";
import { type HubAddress, serveHub } from "./serve-hub.ts";
import { scriptCommand } from "../agents/script-command.ts";
import { hubFolder, keepersFolder, type KeeperSettings } from "./hub-folder.ts";
import { hubSpec } from "./hub-spec.ts";
import { journalUrl, openJournal } from "./open-journal.ts";

type Values = ReturnType<typeof parseOptions<typeof hubSpec.options>>["values"];

export const run: RunCommand = async (args, streams) => {
  const { values } = parseOptions(args, hubSpec.options);
  const address = addressOf(values, streams.env);
  // Keepers and agents inherit the environment.
  delete process.env["ACP_TOKEN"];
  const url = journalUrl(values.journal, streams.env);
  delete process.env["ACP_JOURNAL"];
  const folder = hubFolder(values.folder, streams.env);
  const { policy, allow, yes, "allow-read": read, "allow-edit": edit, "allow-command": command } = values;
  const permissions = { policy, allow, yes, "allow-read": read, "allow-edit": edit, "allow-command": command };
  // Wrong options are better found here than by each keeper.
  permissionsOf(permissions, { cwd: process.cwd() });
  const more: KeeperSettings = { folder, journal: url, permissions };
  const say = (line: string): void => void streams.error.write(`${cutLine(printableLine(line))}\n`);
  const journal = await openJournal(folder, url);
  const hub = createHub({
    journal,
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
    await journal.close();
    throw new ProgramFailure("A hub runs already for this folder", ExitCode.failure, "acp hub ls lists its sessions");
  }
  const listening = address && (await serveHub(hub, address, streams, say));
  say(`The hub keeps its sessions in ${url === undefined ? folder : new URL(url).host}`);
  if (address !== undefined && listening !== undefined) {
    const { host, token } = address;
    say(`HTTP:      http://${authority(host, listening.port)}${endpointPath}?agent=<name>, and the same with ws://`);
    say(`Page:      ${pageUrl(host, listening.port, token)}`);
    if (token.isNew) say(`Token:     ${token.text}`);
  }
  say("acp attach <agent> connects an editor to it, acp --hub <agent> this terminal. Ctrl-C ends it");
  await untilSignal();
  say("The agents go on: the next hub finds them");
  await listening?.close();
  await server.close();
  await hub.close();
  await journal.close();
  return ExitCode.endTurn;
};

/** Where to listen for other programs; `undefined` for nowhere. */
function addressOf(values: Values, env: Environment): HubAddress | undefined {
  if (values.port === undefined) return undefined;
  return {
    host: values.host,
    port: wholeNumber("port", values.port, 0, 65_535),
    token: chooseToken(values.token, env["ACP_TOKEN"]),
    origins: values.origin.map(requireOrigin),
    serverNames: values["server-name"],
  };
}

function idleTime(minutes: string | undefined): number | undefined {
  if (minutes === undefined) return undefined;
  if (/^\d+(?:\.\d+)?$/u.test(minutes)) return Number(minutes) * 60_000;
  throw optionError(hubSpec.options, "idle", `--idle cannot be '${minutes}'. Use a number of minutes`);
}
