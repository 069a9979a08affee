/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core/v2/agent`: the same for version 2 as `@acp/core/agent` for version 1.
export type { AnySession, AnyTurn } from "./any-session.ts";
export { type AskedPermission, askPermission, type AskPermissionOptions, type Permission } from "./ask-permission.ts";
export { permissionOptions } from "../shared/permission.ts";
export {
  audio,
  type Base64Data,
  embeddedFile,
  type EmbeddedFile,
  image,
  resourceLink,
  text,
} from "../shared/content.ts";
export { diff, type FileDiff } from "./diff.ts";
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
export { type CommandResult, type CommandToRun, runCommand, type RunCommandOptions } from "./run-command.ts";
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
export { sendSessionInfo, sendUsage } from "../shared/session-updates.ts";
export {
  type Compaction,
  createPlan,
  type PlanStep,
  sendNotice,
  sendToolCall,
  startCompaction,
  type ToolCallReport,
  type TrackedPlan,
  userMessage,
  type UserMessageOptions,
} from "./updates.ts";
