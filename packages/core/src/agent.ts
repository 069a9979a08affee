/// <reference lib="esnext.disposable" preserve="true" />
// What an agent says in one line: functions on top of a turn or a session. Each is on its own, so that an agent
// carries only those it calls.
export type { AnySession, AnyTurn } from "./agent/any-session.ts";
export {
  askPermission,
  type AskPermissionOptions,
  type Permission,
  permissionOptions,
} from "./agent/ask-permission.ts";
export { isNotFound, type LineRange, readTextFile, writeTextFile } from "./agent/client-files.ts";
export { type Compaction, startCompaction } from "./agent/compaction.ts";
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
} from "./agent/content.ts";
export {
  elicitForm,
  type ElicitationRequest,
  type ElicitFormOptions,
  elicitUrl,
  type ElicitUrlOptions,
  type FormAnswer,
  type UrlAnswer,
} from "./agent/elicit.ts";
export type { FormContent, FormField, FormSchema } from "./agent/form-content.ts";
export { createPlan, type PlanStep, type TrackedPlan } from "./agent/plan.ts";
export { type Command, type CommandResult, runCommand, type RunCommandOptions } from "./agent/run-command.ts";
export { sendNotice, sendSessionInfo, sendUsage } from "./agent/session-news.ts";
export {
  createSettings,
  type SettingChange,
  type Settings,
  type SettingsHandlers,
  type SettingsOptions,
} from "./agent/settings.ts";
export type { SettingsDefinition, SettingValues } from "./agent/settings-types.ts";
export {
  type CommandDefinition,
  type CommandRun,
  type Commands,
  defineCommands,
  parseCommand,
  type SlashCommand,
} from "./agent/slash-commands.ts";
export { sendToolCall, type ToolCallReport } from "./agent/tool-call-report.ts";
export { userMessage } from "./agent/user-message.ts";
