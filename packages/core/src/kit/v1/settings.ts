import type { NewSessionResponse, SessionConfigOption, SessionModeState } from "@acp/schema/v1/types";
import { RequestError } from "../../base/errors.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import type { AnySession } from "./any-session.ts";
import { refuse, type SettingChange, settingsChanges } from "./settings-changes.ts";
import { SettingsState } from "./settings-state.ts";
import type { SettingsDefinition, SettingValues } from "./settings-types.ts";

export type { SettingChange } from "./settings-changes.ts";

/** What a setup answer says of settings. */
type SettingsSetup = Pick<NewSessionResponse, "modes" | "configOptions">;

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
  // Nobody writes to the lists in it.
  const { modes, configOptions } = definition as SettingsDefinition as {
    readonly modes?: SessionModeState;
    readonly configOptions?: readonly SessionConfigOption[];
  };
  const tellMode = async (session: AnySession, { modeOption }: SettingsState): Promise<void> => {
    if (modeOption === undefined) return;
    await session.update({ sessionUpdate: "current_mode_update", currentModeId: modeOption.currentValue });
  };
  const { stateOf, change, tell, choose, ...changes } = settingsChanges<SessionConfigOption, SettingsState, AnySession>(
    {
      create: () => new SettingsState(configOptions ?? [], modes ?? undefined),
      tellMode,
      onChange: settingsOptions?.onChange,
    },
  );
  const open = (session: AnySession, saved?: { readonly [id: string]: unknown }): SettingsSetup => {
    const state = changes.open(session, saved);
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
          if (isChanged) await tell(session, state);
          // The agent has chosen another one, and told that; an answer would say that it is this one.
          if (state.modeOption?.currentValue !== modeId) {
            throw RequestError.internalError("The agent has changed the mode meanwhile");
          }
        });
      },
      "session/set_config_option": choose,
    },
    ...changes,
    open,
    values: (session) => stateOf(session).values,
  };
  // The values of the options are of the types that their lists say.
  return settings as unknown as Settings<SettingValues<D>>;
}
