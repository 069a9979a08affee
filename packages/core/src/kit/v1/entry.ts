/// <reference lib="esnext.disposable" preserve="true" />
// What an agent says in one line: functions on top of a turn or a session. Each is on its own, so that an agent
// carries only those it calls.
export type { AnySession, AnyTurn } from "./any-session.ts";
export { askPermission, type AskPermissionOptions, type Permission, permissionOptions } from "./ask-permission.ts";
export { isNotFound, type LineRange, readTextFile, writeTextFile } from "./client-files.ts";
export { type Compaction, startCompaction } from "./compaction.ts";
export {
  audio,
  type Base64Data,
  diff,
  embeddedFile,
  type EmbeddedFile,
  type FileDiff,
  image,
  resourceLink,
  text,
} from "./content.ts";
export {
  elicitForm,
  type ElicitationRequest,
  type ElicitFormOptions,
  elicitUrl,
  type ElicitUrlOptions,
  type FormAnswer,
  type UrlAnswer,
} from "./elicit.ts";
export type { FormContent, FormField, FormSchema } from "./form-content.ts";
export { createPlan, type PlanStep, type TrackedPlan } from "./plan.ts";
export { type Command, type CommandResult, runCommand, type RunCommandOptions } from "./run-command.ts";
export { sendNotice, sendSessionInfo, sendUsage } from "./session-news.ts";
export {
  createSettings,
  type SettingChange,
  type Settings,
  type SettingsHandlers,
  type SettingsOptions,
} from "./settings.ts";
export type { SettingsDefinition, SettingValues } from "./settings-types.ts";
export {
  type CommandDefinition,
  type CommandRun,
  type Commands,
  defineCommands,
  parseCommand,
  type SlashCommand,
} from "./slash-commands.ts";
export { sendToolCall, type ToolCallReport } from "./tool-call-report.ts";
export { userMessage } from "./user-message.ts";
