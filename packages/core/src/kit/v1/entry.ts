/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core/agent`: functions on top of a turn or a session, so that an agent bundles only those it calls.
export type { AnySession, AnyTurn } from "./any-session.ts";
export { askPermission, type AskPermissionOptions, type Permission } from "./ask-permission.ts";
export { permissionOptions } from "../shared/permission.ts";
export { isNotFound, type LineRange, readTextFile, writeTextFile } from "./client-files.ts";
export {
  audio,
  type Base64Data,
  embeddedFile,
  type EmbeddedFile,
  image,
  resourceLink,
  text,
} from "../shared/content.ts";
export { elicitForm, type FormField, type FormSchema } from "./elicit.ts";
export {
  type ElicitationRequest,
  type ElicitFormOptions,
  elicitUrl,
  type ElicitUrlOptions,
  type FormAnswer,
  type UrlAnswer,
} from "../shared/elicit.ts";
export type { FormContent } from "../shared/inferred-types.ts";
export type { Compaction } from "../shared/compaction.ts";
export { createPlan, type PlanStep, type TrackedPlan } from "../shared/plan.ts";
export { type Command, type CommandResult, runCommand, type RunCommandOptions } from "./run-command.ts";
export {
  createSettings,
  type Settings,
  type SettingsDefinition,
  type SettingsHandlers,
  type SettingsOptions,
  type SettingValues,
} from "./settings.ts";
export type { SettingChange } from "../shared/settings.ts";
export {
  type CommandDefinition,
  type CommandRun,
  type Commands,
  defineCommands,
  parseCommand,
  type SlashCommand,
} from "./slash-commands.ts";
export { sendToolCall, type ToolCallReport } from "./tool-call-report.ts";
export { sendSessionInfo, sendUsage } from "../shared/session-updates.ts";
export { diff, type FileDiff, sendNotice, startCompaction, userMessage } from "./updates.ts";
