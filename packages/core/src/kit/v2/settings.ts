import type { NewSessionResponse, Received, SessionConfigOption } from "@acp/schema/v2/types";
import { checkOptions, OptionsState } from "../v1/options-state.ts";
import type { Readable } from "../v1/readable.ts";
import { type SettingChange, settingsChanges } from "../v1/settings-changes.ts";
import type { ValueOf } from "../v1/settings-types.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import type { AnySession } from "./any-session.ts";

export type { SettingChange } from "../v1/settings-changes.ts";

/** What can be set in a session, in the types of the protocol, with the values that a new session begins with. */
export interface SettingsDefinition<Options = readonly Readable<SessionConfigOption>[]> {
  /** The options, important ones first. What version 1 calls modes is one of category `mode`. */
  readonly configOptions: Options;
}

/** The values of all options in a list, by their ids: `{ mode: "ask" | "code"; web: boolean }`. */
export type SettingValues<Options> = Options extends readonly (infer Item)[]
  ? Flat<{
      [Option in Item as Option extends { readonly configId: infer Id extends string } ? Id : never]: ValueOf<Option>;
    }>
  : never;

/** The same members, in one piece. */
type Flat<T> = { [K in keyof T]: T[K] };

/** What the answer of a method that opens a session says of settings. */
type SettingsSetup = Pick<NewSessionResponse, "configOptions">;

/** Options of {@link createSettings}. */
export interface SettingsOptions {
  /**
   * Called with each change before the client is told of it: save it here. If it throws, the change is refused, and
   * whoever asked for it gets the error. It may set other options itself. {@link Settings.value} gives the new value
   * already. Changes of one option that a client asks for wait for each other.
   */
  // The type of a method: a listener may expect the agent's own type of session.
  readonly onChange?: { on(session: AnySession, change: SettingChange): Awaitable<void> }["on"] | undefined;
}

/** Config options of an agent's sessions: what they are now, and how they change. */
export interface Settings<Values> {
  /**
   * Handlers for `session/new` and `session/set_config_option`, to be spread into the agent's. They refuse with `-32602`
   * what was not offered.
   */
  readonly handlers: SettingsHandlers;
  /**
   * Begins with a session: returns `configOptions` for the answer of a handler of your own for `session/new` or
   * `session/resume`. `saved` are values that were saved earlier; one that can no longer be chosen is left out. Default: the
   * values of the definition.
   */
  open(session: AnySession, saved?: Partial<Values>): SettingsSetup;
  /**
   * The value that an option has in a session.
   *
   * @throws {UsageError} if there is no such option.
   */
  value<K extends keyof Values>(session: AnySession, configId: K): Values[K];
  /** The values of all options by their ids, to be saved. */
  values(session: AnySession): Values;
  /**
   * Changes an option from the agent's side, at any time, and tells the client. Does nothing if the option has the value
   * already, and the client could be told.
   *
   * @throws {UsageError} if there is no such option, or it cannot have this value.
   */
  set<K extends keyof Values>(session: AnySession, configId: K, value: Values[K]): Promise<void>;
  /**
   * Replaces a session's list of options, and tells the client. For a model with other thought levels, for example.
   *
   * @throws {UsageError} as {@link createSettings} does.
   */
  replace(session: AnySession, configOptions: readonly Readable<SessionConfigOption>[]): Promise<void>;
}

interface SessionContext {
  readonly session: AnySession;
  readonly signal?: AbortSignal;
}

/** The handlers of {@link Settings}. */
export interface SettingsHandlers {
  "session/new"(params: unknown, context: SessionContext): { sessionId: string } & SettingsSetup;
  "session/set_config_option"(
    params: Received.SetSessionConfigOptionRequest,
    context: SessionContext,
  ): Promise<{ configOptions: SessionConfigOption[] }>;
}

/** The options of a session as they stand. */
class SettingsState extends OptionsState<SessionConfigOption> {
  constructor(options: readonly SessionConfigOption[]) {
    checkOptions(options);
    super(options, ({ configId }) => configId);
  }

  override replace(options: readonly SessionConfigOption[]): void {
    checkOptions(options);
    super.replace(options);
  }
}

/**
 * Declares config options once for all sessions, in the words of the protocol.
 *
 * ```ts
 * const settings = createSettings({
 *   configOptions: [
 *     {
 *       type: "select",
 *       configId: "mode",
 *       category: "mode",
 *       name: "Mode",
 *       currentValue: "ask",
 *       options: [{ value: "ask", name: "Ask" }, { value: "code", name: "Code" }],
 *     },
 *   ],
 * });
 * createAgent({ info, handlers: { ...settings.handlers, "session/prompt": prompt } });
 * // In a turn:
 * if (settings.value(turn.session, "mode") === "ask") await settings.set(turn.session, "mode", "code");
 * ```
 *
 * @throws {UsageError} if a current value is none of those listed, or a category is neither one of the protocol nor begins
 * with `_`.
 */
export function createSettings<const Options extends readonly Readable<SessionConfigOption>[]>(
  definition: SettingsDefinition<Options>,
  settingsOptions?: SettingsOptions,
): Settings<SettingValues<Options>> {
  // Nobody writes to the lists in it.
  const configOptions =
    definition.configOptions as readonly Readable<SessionConfigOption>[] as readonly SessionConfigOption[];
  const { stateOf, choose, value, set, replace, ...changes } = settingsChanges<
    SessionConfigOption,
    SettingsState,
    AnySession
  >({
    create: () => new SettingsState(configOptions),
    onChange: settingsOptions?.onChange,
  });
  const open = (session: AnySession, saved?: { readonly [id: string]: unknown }): SettingsSetup => {
    const { options } = changes.open(session, saved);
    return options.length === 0 ? {} : { configOptions: options };
  };
  const settings: Settings<Record<string, string | boolean>> = {
    handlers: {
      "session/new": (_, { session }) => ({ sessionId: session.id, ...open(session) }),
      // Also a value of an unknown kind stands there, and is none of those that are offered.
      "session/set_config_option": (params, context) => choose(params as Parameters<typeof choose>[0], context),
    },
    open,
    value,
    values: (session) => stateOf(session).values,
    set,
    replace: (session, options) => replace(session, options as readonly SessionConfigOption[]),
  };
  // The values of the options are of the types that their lists say.
  return settings as unknown as Settings<SettingValues<Options>>;
}
