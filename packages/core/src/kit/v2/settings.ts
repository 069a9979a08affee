import type { NewSessionResponse, SessionConfigOption } from "@acp/schema/v2/types";
import type { OptionValue, Readable } from "../shared/inferred-types.ts";
import { checkOptions } from "../shared/options-state.ts";
import * as shared from "../shared/settings.ts";
import type { AnySession } from "./any-session.ts";
import { requireObject } from "../../base/require-argument.ts";
import { readMember } from "../../base/values.ts";

/** The settings of a session, in the protocol's types, with the initial values of a new session. */
export interface SettingsDefinition<Options = readonly Readable<SessionConfigOption>[]> {
  /** The options, most important first. The modes of version 1 are an option of category `mode`. */
  readonly configOptions: Options;
}

/** The values of all options in a list, by their ids: `{ mode: "ask" | "code"; web: boolean }`. */
export type SettingValues<Options> = Options extends readonly (infer Item)[]
  ? Flat<{
      [
        Option in Item as Option extends { readonly configId: infer Id extends string } ? Id : never
      ]: OptionValue<Option>;
    }>
  : never;

/** The same members as one object type. It is not exported, so that declarations of libraries need not name it. */
type Flat<T> = { [K in keyof T]: T[K] };

type SettingsSetup = Pick<NewSessionResponse, "configOptions">;

/** Options of {@link createSettings}. */
export interface SettingsOptions extends shared.SettingsOptions<AnySession> {}

/** The handlers of {@link Settings}. */
export interface SettingsHandlers extends shared.SettingsHandlers<AnySession, SessionConfigOption, SettingsSetup> {}

/** The config options of an agent's sessions: reads and changes their values. */
export interface Settings<Values> extends shared.Settings<
  Values,
  AnySession,
  SessionConfigOption,
  SettingsSetup,
  SettingsHandlers
> {}

/**
 * Declares config options once for all sessions, in the protocol's types.
 *
 * ```ts
 * const settings = createSettings({
 *   configOptions: [{ type: "boolean", configId: "web", name: "Search the web", currentValue: true }],
 * });
 * createAgent({ info, handlers: { ...settings.handlers, "session/prompt": prompt } });
 * // In a turn:
 * if (settings.value(turn.session, "web")) await settings.set(turn.session, "web", false);
 * ```
 *
 * @throws {UsageError} a current value is not listed, or a category is not in the protocol and does not begin with `_`.
 */
export function createSettings<const Options extends readonly Readable<SessionConfigOption>[]>(
  definition: SettingsDefinition<Options>,
  settingsOptions?: SettingsOptions,
): Settings<SettingValues<Options>> {
  requireObject(readMember(definition, "configOptions"), "createSettings() takes { configOptions }", "map");
  const { settings } = shared.createSettingsCore<AnySession, SessionConfigOption, SettingsSetup>({
    configOptions: definition.configOptions,
    rules: { idOf: ({ configId }) => configId, complete: (declared) => checkOptions(declared) },
    describe: (options) => (options.length === 0 ? {} : { configOptions: options }),
    onChange: settingsOptions?.onChange,
  });
  // The values have the types that their options list.
  return settings as unknown as Settings<SettingValues<Options>>;
}
