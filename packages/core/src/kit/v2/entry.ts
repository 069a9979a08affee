/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core/v2/agent`: what `@acp/core/agent` is for version 1. Functions on top of a turn or a session, each on
// its own, so that an agent carries only those it calls.
export type { AnySession, AnyTurn } from "./any-session.ts";
export {
  type AskedPermission,
  askPermission,
  type AskPermissionOptions,
  type Permission,
  permissionOptions,
} from "./ask-permission.ts";
export { type Compaction, startCompaction } from "./compaction.ts";
export { audio, type Base64Data, embeddedFile, type EmbeddedFile, image, resourceLink, text } from "./content.ts";
export { diff, type FileDiff } from "./diff.ts";
export {
  elicitForm,
  type ElicitationRequest,
  type ElicitFormOptions,
  elicitUrl,
  type ElicitUrlOptions,
  type FormAnswer,
  type FormContent,
  type FormField,
  type FormSchema,
  type UrlAnswer,
} from "./elicit.ts";
export { createPlan, type PlanStep, type TrackedPlan } from "./plan.ts";
export { type CommandResult, type CommandToRun, runCommand, type RunCommandOptions } from "./run-command.ts";
export { sendNotice, sendSessionInfo, sendUsage } from "./session-news.ts";
export {
  createSettings,
  type SettingChange,
  type Settings,
  type SettingsDefinition,
  type SettingsHandlers,
  type SettingsOptions,
  type SettingValues,
} from "./settings.ts";
export {
  type CommandDefinition,
  type CommandRun,
  type Commands,
  defineCommands,
  parseCommand,
  type SlashCommand,
} from "./slash-commands.ts";
export { sendToolCall, type ToolCallReport } from "./tool-call-report.ts";
export { userMessage, type UserMessageOptions } from "./user-message.ts";
