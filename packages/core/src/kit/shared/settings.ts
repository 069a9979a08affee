import { UsageError } from "../../base/errors.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import { describeOwn, refuseArguments } from "../../session/rules/arguments.ts";
import type { Readable } from "./inferred-types.ts";
import { type AnyOption, type OptionRules, OptionsState, type SettingChange } from "./options-state.ts";
import { requireObject } from "../../base/require-argument.ts";

/** Options of {@link createSettings}. */
export interface SettingsOptions<Session> {
  /**
   * Called with each change before it is reported to the client. Save the change here. If it throws, the change is
   * refused, and the caller gets the error. It may set other options. {@link Settings.value} already returns the new
   * value. Changes that a client requests for the same option wait for each other.
   */
  // The type of a method: a listener may expect the agent's own type of session.
  readonly onChange?: { on(session: Session, change: SettingChange): Awaitable<void> }["on"] | undefined;
}

/** The settings of an agent's sessions: reads and changes their values. */
export interface Settings<Values, Session, Option, Setup, Handlers> {
  /**
   * Handlers for the methods that create a session and change its settings. Spread them into the agent's handlers. They
   * reject values that were not offered with `-32602` (MODE-02, CONF-13).
   */
  readonly handlers: Handlers;
  /**
   * Sets up a session in your own handler for `session/new`, or for another method that opens a session. Returns the
   * settings for the handler's result. `saved` has values that you saved earlier; values that are no longer available
   * are ignored. Default: the values of the definition.
   */
  open(session: Session, saved?: Partial<Values>): Setup;
  /**
   * Returns the value of an option in a session. In version 1, the mode is the value of the option `mode`, unless you
   * declared an option of category `mode`.
   *
   * @throws {UsageError} there is no such option.
   */
  value<K extends keyof Values>(session: Session, configId: K): Values[K];
  /** Returns the values of all options by id, so that you can save them. */
  values(session: Session): Values;
  /**
   * Changes an option from the agent's side, at any time, and updates the client (MODE-05, CONF-15). Does nothing if
   * the option already has the value and the client knows it.
   *
   * @throws {UsageError} there is no such option, or it cannot have this value.
   */
  set<K extends keyof Values>(session: Session, configId: K, value: Values[K]): Promise<void>;
  /**
   * Replaces a session's list of options and updates the client, for example for a model with other thought levels.
   *
   * @throws {UsageError} as {@link createSettings} does.
   */
  replace(session: Session, configOptions: readonly Readable<Option>[]): Promise<void>;
}

/** The context of a handler, as far as settings need it. */
export interface SettingsContext<Session> {
  readonly session: Session;
  readonly signal?: AbortSignal;
}

/** The handlers of {@link Settings}. */
export interface SettingsHandlers<Session, Option, Setup> {
  "session/new"(params: unknown, context: SettingsContext<Session>): { sessionId: string } & Setup;
  "session/set_config_option"(
    params: { readonly type?: unknown; readonly configId?: string; readonly value?: unknown },
    context: SettingsContext<Session>,
  ): Promise<{ configOptions: Option[] }>;
}

interface AnySession<Option> {
  readonly id: string;
  update(update: { sessionUpdate: "config_option_update"; configOptions: Option[] }): Promise<void>;
}

/** What differs between the versions. */
interface SettingsParts<Session, Option, Setup> {
  /** The declared options. */
  readonly configOptions: readonly Readable<Option>[];
  readonly rules: OptionRules<Option>;
  /** The settings as the answers that open a session have them. */
  describe(options: Option[]): Setup;
  /** Sends the current mode to the client, in a version that has modes besides options. */
  updateMode?(session: Session, modeId: string): Promise<void>;
  readonly onChange: SettingsOptions<Session>["onChange"];
}

/** Settings of either version, with what a further handler needs. */
interface SettingsCore<Session, Option extends AnyOption, Setup> {
  readonly settings: Settings<AnyValues, Session, Option, Setup, SettingsHandlers<Session, Option, Setup>>;
  stateOf(session: Session): OptionsState<Option>;
  /** Changes an option to a value without a problem. Resolves with whether the value is a new one. */
  change(session: Session, change: SettingChange): Promise<boolean>;
  /** Sends all options to the client. */
  updateOptions(session: Session): Promise<void>;
}

type AnyValues = Record<string, string | boolean>;

/** @throws {UsageError} the declaration is wrong. */
export function createSettingsCore<Session extends AnySession<Option>, Option extends AnyOption, Setup extends object>(
  parts: SettingsParts<Session, Option, Setup>,
): SettingsCore<Session, Option, Setup> {
  const { rules, describe, onChange } = parts;
  // Nobody writes to the lists in it.
  const declared = parts.configOptions as readonly Option[];
  // Throws now, not when the first session opens.
  rules.complete(declared);
  const states = new WeakMap<Session, OptionsState<Option>>();
  const begin = (session: Session): OptionsState<Option> => {
    requireObject(session, "Settings belong to a session", "update");
    const state = new OptionsState(declared, rules);
    states.set(session, state);
    return state;
  };
  const stateOf = (session: Session): OptionsState<Option> => states.get(session) ?? begin(session);
  const updateOptions = (session: Session): Promise<void> =>
    session.update({ sessionUpdate: "config_option_update", configOptions: stateOf(session).options });
  const updateMode = async (session: Session): Promise<void> => {
    const { mode } = stateOf(session);
    if (mode !== undefined) await parts.updateMode?.(session, mode.currentValue);
  };
  const change = (session: Session, made: SettingChange): Promise<boolean> =>
    stateOf(session).change(made, () => onChange?.(session, made));
  const open = (session: Session, saved?: { readonly [id: string]: unknown }): Setup => {
    const state = begin(session);
    for (const [id, value] of Object.entries(saved ?? {})) {
      if (isValue(value) && state.findProblem(id, value) === undefined) state.set(id, value);
    }
    return describe(state.options);
  };
  return {
    stateOf,
    change,
    updateOptions,
    settings: {
      handlers: {
        "session/new": (_, { session }) => ({ sessionId: session.id, ...open(session) }),
        "session/set_config_option": ({ configId = "", value }, { session, signal }) => {
          const state = stateOf(session);
          return state.afterEarlierChanges(configId, async () => {
            const problem = state.findProblem(configId, value);
            if (problem !== undefined) throw refuseArguments(problem);
            const isChanged = isValue(value) && (await change(session, { configId, value, by: "client" }));
            if (isChanged && configId === state.mode?.id) await updateMode(session);
            // The client ignores the answer to a request that it has cancelled.
            if (isChanged && signal?.aborted) await updateOptions(session);
            return { configOptions: state.options };
          });
        },
      },
      open,
      value: (session, configId) => {
        const value = stateOf(session).value(configId);
        if (value === undefined) throw new UsageError(`There is no config option '${configId}'`);
        return value;
      },
      values: (session) => stateOf(session).values,
      set: async (session, configId, value) => {
        const state = stateOf(session);
        const problem = state.findProblem(configId, value);
        if (problem !== undefined) throw new UsageError(`'${configId}' cannot be set: ${describeOwn(problem)}`);
        const isChanged = await change(session, { configId, value, by: "agent" });
        const { isClientOutdated } = state;
        if (!isChanged && !isClientOutdated) return;
        state.isClientOutdated = false;
        try {
          if (isClientOutdated || configId === state.mode?.id) await updateMode(session);
          await updateOptions(session);
        } catch (error) {
          state.isClientOutdated = true;
          throw error;
        }
      },
      replace: async (session, configOptions) => {
        const state = stateOf(session);
        const before = state.mode?.currentValue;
        // Nobody writes to the lists in it.
        state.replace(configOptions as readonly Option[]);
        if (state.mode?.currentValue !== before) await updateMode(session);
        await updateOptions(session);
      },
    },
  };
}

function isValue(value: unknown): value is string | boolean {
  return typeof value === "string" || typeof value === "boolean";
}
