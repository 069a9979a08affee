/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core/v2/agent`: the same for version 2 as `@acp/core/agent` for version 1.
export type { AnySession, AnyTurn } from "./any-session.ts";
export * from "./ask-permission.ts";
export * from "./diff.ts";
export * from "./elicit.ts";
export * from "./run-command.ts";
export * from "./settings.ts";
export * from "./slash-commands.ts";
export * from "./updates.ts";

export { audio, type Base64Data, embeddedFile, type EmbeddedFile } from "../shared/content.ts";
export { image, resourceLink, text } from "../shared/content.ts";
export { elicitUrl, type ElicitUrlOptions, type UrlAnswer } from "../shared/elicit.ts";
export type { ElicitationRequest, ElicitFormOptions, FormAnswer } from "../shared/elicit.ts";
export type { FormContent } from "../shared/inferred-types.ts";
export type { OpenMessageOptions } from "../shared/open-message.ts";
export { permissionOptions } from "../shared/permission.ts";
export { sendSessionInfo, sendUsage } from "../shared/updates.ts";
export type { SettingChange } from "../shared/options-state.ts";
