import type { NewSessionResponse, SessionConfigOption, SessionModeState } from "@acp/schema/v1/types";
import { RequestError } from "../../base/errors.ts";
import { refuseArguments } from "../../session/rules/arguments.ts";
import type { OptionValue, Readable } from "../shared/inferred-types.ts";
import * as shared from "../shared/settings.ts";
import type { AnySession } from "./any-session.ts";
import { findModeOption, toModes, withModes } from "./mode-settings.ts";
import { requireObject } from "../../base/require-argument.ts";

/** The settings of a session, in the protocol's types, with the initial values of a new session. */
export interface SettingsDefinition {
  /** The modes (MODE-01). They also become an option named `mode`, unless you declare an option of category `mode`. */
  readonly modes?: Readable<SessionModeState> | undefined;
  /** The options, most important first (CONF-04). An option of category `mode` also becomes the modes. */
  readonly configOptions?: readonly Readable<SessionConfigOption>[] | undefined;
}

type OptionOf<D> = D extends { readonly configOptions: readonly (infer Option)[] } ? Option : never;

type ModeValue<D> = [Extract<OptionOf<D>, { readonly category: "mode" }>] extends [never]
  ? D extends { readonly modes: { readonly availableModes: readonly { readonly id: infer Id extends string }[] } }
    ? { mode: Id }
    : Record<never, never>
  : Record<never, never>;

/** The values of all options, by their ids: `{ mode: "ask" | "code"; web: boolean }`. */
export type SettingValues<D> = Flat<
  {
    [
      Option in OptionOf<D> as Option extends { readonly id: infer Id extends string } ? Id : never
    ]: OptionValue<Option>;
  } & ModeValue<D>
>;

/** The same members as one object type. It is not exported, so that declarations of libraries need not name it. */
type Flat<T> = { [K in keyof T]: T[K] };

type SettingsSetup = Pick<NewSessionResponse, "modes" | "configOptions">;

/** Options of {@link createSettings}. */
export interface SettingsOptions extends shared.SettingsOptions<AnySession> {}

/** The modes and config options of an agent's sessions: reads and changes their values. */
export interface Settings<Values> extends shared.Settings<
  Values,
  AnySession,
  SessionConfigOption,
  SettingsSetup,
  SettingsHandlers
> {}

/** The handlers of {@link Settings}. */
export interface SettingsHandlers extends shared.SettingsHandlers<AnySession, SessionConfigOption, SettingsSetup> {
  "session/set_mode"(params: { readonly modeId: string }, context: shared.SettingsContext<AnySession>): Promise<void>;
}

/**
 * Declares modes and config options once for all sessions, in the protocol's types.
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
 * Declare either modes or an option of category `mode`: clients get both, always with the same value (CONF-17). Options
 * of type `boolean` are sent only to clients that support them (CONF-05).
 *
 * @throws {UsageError} a current value is not listed (CONF-11), a category is not in the protocol and does not begin
 * with `_` (CONF-09), or modes and options differ (CONF-17).
 */
export function createSettings<const D extends SettingsDefinition>(
  definition: D,
  settingsOptions?: SettingsOptions,
): Settings<SettingValues<D>> {
  requireObject(definition, "createSettings() takes the settings: { configOptions }");
  const { modes: declaredModes, configOptions }: SettingsDefinition = definition;
  // Nobody writes to the list in it.
  const modes = (declaredModes ?? undefined) as SessionModeState | undefined;
  const updateMode = (session: AnySession, currentModeId: string): Promise<void> =>
    session.update({ sessionUpdate: "current_mode_update", currentModeId });
  const { settings, stateOf, change, updateOptions } = shared.createSettingsCore<
    AnySession,
    SessionConfigOption,
    SettingsSetup
  >({
    configOptions: configOptions ?? [],
    rules: {
      idOf: ({ id }) => id,
      complete: (declared, mode) => withModes(declared, modes, mode),
      findMode: findModeOption,
    },
    describe: (options) => {
      const current = toModes(options, modes);
      return { ...(current && { modes: current }), ...(options.length > 0 && { configOptions: options }) };
    },
    updateMode,
    onChange: settingsOptions?.onChange,
  });
  const setMode: SettingsHandlers["session/set_mode"] = async ({ modeId }, { session, signal }) => {
    const state = stateOf(session);
    const configId = state.mode?.id;
    if (configId === undefined) throw RequestError.invalidParams("The session has no modes");
    await state.afterEarlierChanges(configId, async () => {
      const problem = state.findProblem(configId, modeId);
      if (problem !== undefined) throw refuseArguments(problem);
      const isChanged = await change(session, { configId, value: modeId, by: "client" });
      const current = state.mode?.currentValue;
      // The client ignores the answer to a request that it has cancelled.
      if (isChanged && signal?.aborted && current !== undefined) await updateMode(session, current);
      if (isChanged) await updateOptions(session);
      // The agent has set another mode meanwhile, and sent it. A success would tell the client that this one is current.
      if (state.mode?.currentValue !== modeId) {
        throw RequestError.internalError("The agent has changed the mode meanwhile");
      }
    });
  };
  // The values have the types that their options list.
  return { ...settings, handlers: { ...settings.handlers, "session/set_mode": setMode } } as unknown as Settings<
    SettingValues<D>
  >;
}
