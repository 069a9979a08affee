import type { NewSessionResponse, SessionConfigOption, SessionModeState } from "@acp/schema/v1/types";
import { RequestError, UsageError } from "../errors.ts";
import type { Awaitable } from "../protocol/methods.ts";
import { type ArgumentProblem, describeOwn, invalidArguments } from "../v1/arguments.ts";
import type { AnySession } from "./any-session.ts";
import { SettingsState } from "./settings-state.ts";
import type { SettingsDefinition, SettingValues } from "./settings-types.ts";

/** What a setup answer says of settings. */
type SettingsSetup = Pick<NewSessionResponse, "modes" | "configOptions">;

/** A change of one option. */
export interface SettingChange {
  /** The id of the option. For a change of the mode: that of the option that holds the mode, `mode` by default. */
  readonly configId: string;
  /** The new value. */
  readonly value: string | boolean;
  /** Who changed it. */
  readonly by: "client" | "agent";
}

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

/** Modes and config options of an agent's sessions: what they are now, and how they change. */
export interface Settings<Values> {
  /**
   * Handlers for `session/new`, `session/set_mode` and `session/set_config_option`, to be spread into the agent's.
   * They refuse with `-32602` what was not offered (MODE-02, CONF-13).
   */
  readonly handlers: SettingsHandlers;
  /**
   * Begins with a session: returns `modes` and `configOptions` for the answer of a handler of your own for `session/new`,
   * `session/load` or `session/resume`. `saved` are values that were saved earlier; one that can no longer be chosen is
   * left out. Default: the values of the definition.
   */
  open(session: AnySession, saved?: Partial<Values>): SettingsSetup;
  /**
   * The value that an option has in a session. The mode is the value of the option `mode`, unless you declared an option
   * of category `mode` yourself.
   *
   * @throws {UsageError} if there is no such option.
   */
  value<K extends keyof Values>(session: AnySession, configId: K): Values[K];
  /** The values of all options by their ids, to be saved. */
  values(session: AnySession): Values;
  /**
   * Changes an option from the agent's side, at any time, and tells the client (MODE-05, CONF-15). Does nothing if the
   * option has the value already, and the client could be told.
   *
   * @throws {UsageError} if there is no such option, or it cannot have this value.
   */
  set<K extends keyof Values>(session: AnySession, configId: K, value: Values[K]): Promise<void>;
  /**
   * Replaces a session's list of options, and tells the client. For a model with other thought levels, for example.
   *
   * @throws {UsageError} as {@link createSettings} does.
   */
  replace(session: AnySession, configOptions: readonly SessionConfigOption[]): Promise<void>;
}

interface SessionContext {
  readonly session: AnySession;
  readonly signal?: AbortSignal;
}

/** The handlers of {@link Settings}. */
export interface SettingsHandlers {
  "session/new"(params: unknown, context: SessionContext): { sessionId: string } & SettingsSetup;
  "session/set_mode"(params: { readonly modeId: string }, context: SessionContext): Promise<void>;
  "session/set_config_option"(
    params: { readonly configId: string; readonly value: string | boolean },
    context: SessionContext,
  ): Promise<{ configOptions: SessionConfigOption[] }>;
}

/**
 * Declares modes and config options once for all sessions, in the words of the protocol.
 *
 * ```ts
 * const settings = createSettings({
 *   modes: { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }, { id: "code", name: "Code" }] },
 * });
 * createAgent({ info, handlers: { ...settings.handlers, "session/prompt": prompt } });
 * // In a turn:
 * if (settings.value(turn.session, "mode") === "ask") await settings.set(turn.session, "mode", "code");
 * ```
 *
 * Declare either modes or an option of category `mode`: clients get both, always with the same value (CONF-17). Options of
 * type `boolean` go only to clients that advertised to take them (CONF-05).
 *
 * @throws {UsageError} if a current value is none of those listed (CONF-11), a category is neither one of the protocol nor
 * begins with `_` (CONF-09), or modes and options do not say the same (CONF-17).
 */
export function createSettings<const D extends SettingsDefinition>(
  definition: D,
  settingsOptions?: SettingsOptions,
): Settings<SettingValues<D>> {
  const onChange = settingsOptions?.onChange;
  // Nobody writes to the lists in it.
  const { modes, configOptions } = definition as SettingsDefinition as {
    readonly modes?: SessionModeState;
    readonly configOptions?: readonly SessionConfigOption[];
  };
  const create = (): SettingsState => new SettingsState(configOptions ?? [], modes ?? undefined);
  create();
  const states = new WeakMap<AnySession, SettingsState>();
  const stateOf = (session: AnySession): SettingsState => {
    const state = states.get(session) ?? create();
    states.set(session, state);
    return state;
  };
  const tellMode = async (session: AnySession, { modeOption }: SettingsState): Promise<void> => {
    if (modeOption === undefined) return;
    await session.update({ sessionUpdate: "current_mode_update", currentModeId: modeOption.currentValue });
  };
  const tellOptions = (session: AnySession, { options }: SettingsState): Promise<void> =>
    session.update({ sessionUpdate: "config_option_update", configOptions: options });
  /** Changes an option to a value without a problem; resolves with whether that is another one. */
  const change = async (session: AnySession, { configId, value, by }: SettingChange): Promise<boolean> => {
    const state = stateOf(session);
    // To the client the value must be a fact; the author may set it once more while it is about to be.
    const isSet = by === "client" ? state.isSet(configId, value) : state.value(configId) === value;
    if (isSet || state.value(configId) === undefined) return false;
    const pending = state.begin(configId, value);
    try {
      await onChange?.(session, { configId, value, by });
    } catch (error) {
      state.refuse(pending);
      throw error;
    }
    state.accept(pending);
    return true;
  };
  const open = (session: AnySession, saved?: { readonly [id: string]: unknown }): SettingsSetup => {
    const state = create();
    states.set(session, state);
    for (const [id, value] of Object.entries(saved ?? {})) {
      const isValue = typeof value === "string" || typeof value === "boolean";
      if (isValue && state.problem(id, value) === undefined) state.set(id, value);
    }
    const { options } = state;
    return {
      ...(state.modes === undefined ? {} : { modes: state.modes }),
      ...(options.length === 0 ? {} : { configOptions: options }),
    };
  };
  const settings: Settings<Record<string, string | boolean>> = {
    handlers: {
      "session/new": (_, { session }) => ({ sessionId: session.id, ...open(session) }),
      "session/set_mode": async ({ modeId }, context) => {
        const { session } = context;
        const state = stateOf(session);
        const configId = state.modeOption?.id;
        if (configId === undefined) throw RequestError.invalidParams("The session has no modes");
        await state.inTurn(configId, async () => {
          refuse(state.problem(configId, modeId));
          const isChanged = await change(session, { configId, value: modeId, by: "client" });
          // The client does not hear the answer.
          if (isChanged && context.signal?.aborted) await tellMode(session, state);
          if (isChanged) await tellOptions(session, state);
          // The agent has chosen another one, and told that; an answer would say that it is this one.
          if (state.modeOption?.currentValue !== modeId) {
            throw RequestError.internalError("The agent has changed the mode meanwhile");
          }
        });
      },
      "session/set_config_option": async ({ configId, value }, context) => {
        const { session } = context;
        const state = stateOf(session);
        return state.inTurn(configId, async () => {
          refuse(state.problem(configId, value));
          const isChanged = await change(session, { configId, value, by: "client" });
          if (isChanged && configId === state.modeOption?.id) await tellMode(session, state);
          if (isChanged && context.signal?.aborted) await tellOptions(session, state);
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
      const problem = state.problem(configId, value);
      if (problem !== undefined) throw new UsageError(`'${configId}' cannot be set: ${describeOwn(problem)}`);
      const isChanged = await change(session, { configId, value, by: "agent" });
      const { isUntold } = state;
      if (!isChanged && !isUntold) return;
      state.isUntold = false;
      try {
        if (isUntold || configId === state.modeOption?.id) await tellMode(session, state);
        await tellOptions(session, state);
      } catch (error) {
        state.isUntold = true;
        throw error;
      }
    },
    replace: async (session, replacing) => {
      const state = stateOf(session);
      const before = state.modeOption?.currentValue;
      state.replace(replacing);
      if (state.modeOption?.currentValue !== before) await tellMode(session, state);
      await tellOptions(session, state);
    },
  };
  // The values of the options are of the types that their lists say.
  return settings as unknown as Settings<SettingValues<D>>;
}

/** What sessions that were opened otherwise have not been held to yet. */
function refuse(problem: ArgumentProblem | undefined): void {
  if (problem !== undefined) throw invalidArguments(problem);
}
