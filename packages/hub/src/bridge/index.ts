/**
 * A bridge between versions 1 and 2 of the protocol: an agent for clients of the other version, and the conversions that it
 * is made of.
 *
 * @module
 */
export { bridgeAgent, type BridgeOptions } from "./agent/bridge-agent.ts";
export { type LossLine, methodLosses, type Passage, unstableLosses, updateLosses } from "./losses.ts";
export {
  contentDown,
  contentUp,
  promptAnswerDown,
  promptAnswerUp,
  promptDown,
  promptErrorUp,
  promptUp,
} from "./prompts.ts";
export { elicitationDown, elicitationUp, permissionAnswerDown, permissionDown, permissionUp } from "./questions.ts";
export { type SettingCall, SettingsDown, SettingsUp, setOptionUp, type Setup1 } from "./settings.ts";
export { openDown, openUp } from "./setup.ts";
export { commandDown, createUpdatesDown, type UpdatesDown, type UpdatesDownOptions } from "./updates-down.ts";
export { createUpdatesUp, type UpdatesUp, type UpdatesUpOptions } from "./updates-up.ts";
