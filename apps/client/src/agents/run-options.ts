import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";

import { CommandLineError } from "../cli/exit.ts";
import { directoryOf, millisecondsOf, startTimeoutOf } from "../cli/option-values.ts";
import { optionError, type ParsedOptions } from "../cli/options.ts";
import { runOptions } from "../cli/shared-options.ts";
import type { Streams } from "../cli/streams.ts";
import { type Attachment, attachmentOf } from "../protocol/file-kind.ts";
import { type ConfiguredPermissions, type PermissionSettings, permissionsOf } from "../protocol/permission/settings.ts";
import type { WantedOption } from "../protocol/select-options.ts";
import { whyUnreadable } from "../text/file-content.ts";
import { type AgentSelection, selectKnown, selectOne } from "./agent-selection.ts";
import { type Launch, type NamedAgent, withKnown } from "./launch.ts";
import { type LaunchSettings, launchSettings } from "./launch-settings.ts";
import { behindHub, throughHub } from "./through-hub.ts";
import { type ResolvedSetup, resolveSetup, setupOf } from "./setup/resolve-setup.ts";

/** What a run of an agent was asked for, whoever reads it: the user interface, lines or a script. */
export interface RunRequest {
  /** The agent that the command line chooses; without a name and a command, the default one. */
  readonly selection: AgentSelection;
  /** The session's directory; absolute. */
  readonly cwd: string;
  /** The files to send with the first prompt. */
  readonly attach: readonly Attachment[];
  /** How long a turn may take, in milliseconds. */
  readonly timeout: number | undefined;
  /** How long the agent may take to start, and to open a session, in milliseconds. */
  readonly startTimeout: number;
  readonly session: string | undefined;
  /** Whether to print diagnostics and the agent's stderr. */
  readonly verbose: boolean;
  /** The file that receives all messages. */
  readonly trace: string | undefined;
  /** The file that receives a page of all messages in the end. */
  readonly traceHtml: string | undefined;
  /** Whether the trace and what `--verbose` prints contain passwords and tokens. */
  readonly withSecrets: boolean;
  /**
   * Finds out how to start the agent that was chosen; without a choice, that of a named session. The command line comes before
   * the agent's configuration.
   */
  resolve(streams: Streams, known?: NamedAgent): Promise<{ readonly launch: Launch; readonly settings: RunSettings }>;
}

/** What depends on the agent. */
export interface RunSettings extends LaunchSettings, PermissionSettings {
  readonly setup: ResolvedSetup;
  /** What to select in a new session. */
  readonly wanted: readonly WantedOption[];
}

type Values = ParsedOptions<typeof runOptions>["values"];

/**
 * Reads the options that all runs share. `names` are the words that name an agent.
 *
 * @throws {CommandLineError} for what is wrong in itself: before anything is started.
 */
export function parseRun(
  values: Values,
  {
    names,
    command,
    isAttended,
  }: { names: readonly string[]; command: readonly string[] | undefined; isAttended: boolean },
): RunRequest {
  if (values.agent !== undefined && command !== undefined)
    throw new CommandLineError("--agent cannot be combined with a command after --. Use one of them");
  const cwd = directoryOf(values.cwd);
  const chosen = { ...selectOne(values, names, command, cwd), hub: values.hub };
  const wanted = setupOf(values, cwd);
  const permissions = (usable: readonly string[], ofAgent?: ConfiguredPermissions): PermissionSettings =>
    permissionsOf(values, { cwd, folders: usable, isAttended }, ofAgent);
  permissions(wanted.folders);
  const options = values.option.map(toOption);
  return {
    selection: chosen,
    cwd,
    attach: values.attach.map(toAttachment),
    timeout: millisecondsOf(runOptions, "timeout", values.timeout),
    startTimeout: startTimeoutOf(values["start-timeout"]),
    session: values.session,
    verbose: values.verbose,
    trace: values.trace,
    traceHtml: values["trace-html"],
    withSecrets: values["with-secrets"],
    async resolve(streams, known) {
      const { resolveAgent } = await import("./resolve-agent.ts");
      const isChosen = chosen.name !== undefined || command !== undefined;
      const kept = known && behindHub(known);
      const selection = isChosen || known === undefined ? chosen : selectKnown(chosen, kept ?? known);
      const direct = withKnown(await resolveAgent(selection, streams), known);
      const setup = await resolveSetup(direct, wanted, streams);
      const launch = values.hub || kept !== undefined ? throughHub(direct) : direct;
      const settings = {
        ...launchSettings(values, launch),
        ...permissions(setup.additionalDirectories, launch.permissions),
        setup,
        wanted: [
          ...wantedOf("model", values, direct),
          ...wantedOf("mode", values, direct),
          ...configured(direct).filter(({ id }) => options.every((typed) => typed.id !== id)),
          ...options,
        ],
      };
      return { launch, settings };
    },
  };
}

function wantedOf(like: "model" | "mode", values: Values, launch: Launch): readonly WantedOption[] {
  const value = values[like] ?? launch[like];
  const place = values[like] === undefined ? `agents.${launch.name}.${like}` : undefined;
  return value === undefined ? [] : [{ like, id: like, value, place }];
}

function configured({ name, options = {} }: Launch): readonly WantedOption[] {
  return Object.entries(options).map(([id, value]) => ({
    like: "option",
    id,
    value,
    place: `agents.${name}.options.${id}`,
  }));
}

function toOption(text: string): WantedOption {
  const [, id, value] = /^([^=]+)=([\s\S]*)$/u.exec(text) ?? [];
  if (id === undefined || value === undefined)
    throw optionError(runOptions, "option", `--option needs an id and a value, such as effort=high, not '${text}'`);
  return { like: "option", id, value, place: undefined };
}

function toAttachment(name: string): Attachment {
  const path = resolve(name);
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw optionError(runOptions, "attach", `--attach: ${whyUnreadable(path, error)}`);
  }
  return { ...attachmentOf(path), isGiven: true };
}
