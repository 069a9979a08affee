/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core/v2/agent`: what `@acp/core/agent` is for version 1. Functions on top of a turn or a session, each on
// its own, so that an agent carries only those it calls.
export type { AnySession, AnyTurn } from "./v2/agent/any-session.ts";
export {
  type AskedPermission,
  askPermission,
  type AskPermissionOptions,
  type Permission,
  permissionOptions,
} from "./v2/agent/ask-permission.ts";
export { type Compaction, startCompaction } from "./v2/agent/compaction.ts";
export {
  audio,
  type Base64Data,
  embeddedFile,
  type EmbeddedFile,
  image,
  resourceLink,
  text,
} from "./v2/agent/content.ts";
export { diff, type FileDiff } from "./v2/agent/diff.ts";
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
} from "./v2/agent/elicit.ts";
export { createPlan, type PlanStep, type TrackedPlan } from "./v2/agent/plan.ts";
export { type CommandResult, type CommandToRun, runCommand, type RunCommandOptions } from "./v2/agent/run-command.ts";
export { sendNotice, sendSessionInfo, sendUsage } from "./v2/agent/session-news.ts";
export {
  createSettings,
  type SettingChange,
  type Settings,
  type SettingsDefinition,
  type SettingsHandlers,
  type SettingsOptions,
  type SettingValues,
} from "./v2/agent/settings.ts";
export {
  type CommandDefinition,
  type CommandRun,
  type Commands,
  defineCommands,
  parseCommand,
  type SlashCommand,
} from "./v2/agent/slash-commands.ts";
export { sendToolCall, type ToolCallReport } from "./v2/agent/tool-call-report.ts";
export { userMessage, type UserMessageOptions } from "./v2/agent/user-message.ts";
