/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core/agent`: functions on top of a turn or a session, so that an agent bundles only those it calls.
export type { AnySession, AnyTurn } from "./any-session.ts";
export * from "./ask-permission.ts";
export * from "./client-files.ts";
export type { Command } from "./client-terminal.ts";
export * from "./elicit.ts";
export * from "./report-terminal.ts";
export * from "./run-command.ts";
export * from "./settings.ts";
export * from "./slash-commands.ts";
export * from "./updates.ts";

export type { CommandResult } from "../shared/command.ts";
export { audio, type Base64Data, embeddedFile, type EmbeddedFile } from "../shared/content.ts";
export { image, resourceLink, text } from "../shared/content.ts";
export { elicitUrl, type ElicitUrlOptions, type UrlAnswer } from "../shared/elicit.ts";
export type { ElicitationRequest, ElicitFormOptions, FormAnswer } from "../shared/elicit.ts";
export type { FormContent } from "../shared/inferred-types.ts";
export type { OpenMessage, OpenMessageOptions } from "../shared/open-message.ts";
export { permissionOptions } from "../shared/permission.ts";
export { createPlan, type PlanStep, type TrackedPlan } from "../shared/plan.ts";
export type { SettingChange } from "../shared/options-state.ts";
export { type Compaction, sendSessionInfo, sendUsage } from "../shared/updates.ts";
