import { UsageError } from "../../base/errors.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import { type ArgumentProblem, describeOwn, invalidArguments } from "../../session/rules/arguments.ts";
import type { AnyOption, OptionsState } from "./options-state.ts";

/** A change of one option. */
export interface SettingChange {
  /** The id of the option. For a change of the mode: that of the option that holds it, in version 1 `mode` by default. */
  readonly configId: string;
  /** The new value. */
  readonly value: string | boolean;
  /** Who changed it. */
  readonly by: "client" | "agent";
}

/** A session, as far as it is told of its options. */
interface ToldSession<Option> {
  update(update: { sessionUpdate: "config_option_update"; configOptions: Option[] }): Promise<void>;
}

/** What settings have of a version of the protocol. */
interface SettingsParts<Option extends AnyOption, State extends OptionsState<Option>, Session> {
  /** Makes the state of a session. */
  create(): State;
  /** Tells the client of the mode, where it is told besides. */
  tellMode?(session: Session, state: State): Promise<void>;
  readonly onChange?: ((session: Session, change: SettingChange) => Awaitable<void>) | undefined;
}

/** The settings of all sessions of an agent, whatever the version of the protocol. */
interface SettingsChanges<Option extends AnyOption, State extends OptionsState<Option>, Session> {
  stateOf(session: Session): State;
  /** Begins with a session, with those of the saved values that can still be chosen. */
  open(session: Session, saved?: { readonly [id: string]: unknown }): State;
  value(session: Session, configId: string): string | boolean;
  /** Changes an option from the agent's side. */
  set(session: Session, configId: string, value: string | boolean): Promise<void>;
  replace(session: Session, options: readonly Option[]): Promise<void>;
  /** Answers `session/set_config_option`. */
  choose(
    params: { readonly configId: string; readonly value: string | boolean },
    context: { readonly session: Session; readonly signal?: AbortSignal },
  ): Promise<{ configOptions: Option[] }>;
  /** Changes an option to a value without a problem; resolves with whether that is another one. */
  change(session: Session, change: SettingChange): Promise<boolean>;
  /** Tells the client of all options. */
  tell(session: Session, state: State): Promise<void>;
}

/** @throws {UsageError} if what was declared is wrong. */
export function settingsChanges<
  Option extends AnyOption,
  State extends OptionsState<Option>,
  Session extends ToldSession<Option>,
>({ create, tellMode, onChange }: SettingsParts<Option, State, Session>): SettingsChanges<Option, State, Session> {
  create();
  const states = new WeakMap<Session, State>();
  const begin = (session: Session): State => {
    const state = create();
    states.set(session, state);
    return state;
  };
  const stateOf = (session: Session): State => states.get(session) ?? begin(session);
  const tell = (session: Session, { options }: State): Promise<void> =>
    session.update({ sessionUpdate: "config_option_update", configOptions: options });
  const change = async (session: Session, { configId, value, by }: SettingChange): Promise<boolean> => {
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
  return {
    stateOf,
    tell,
    change,
    open: (session, saved) => {
      const state = begin(session);
      for (const [id, value] of Object.entries(saved ?? {})) {
        const isValue = typeof value === "string" || typeof value === "boolean";
        if (isValue && state.problem(id, value) === undefined) state.set(id, value);
      }
      return state;
    },
    value: (session, configId) => {
      const value = stateOf(session).value(configId);
      if (value === undefined) throw new UsageError(`There is no config option '${configId}'`);
      return value;
    },
    set: async (session, configId, value) => {
      const state = stateOf(session);
      const problem = state.problem(configId, value);
      if (problem !== undefined) throw new UsageError(`'${configId}' cannot be set: ${describeOwn(problem)}`);
      const isChanged = await change(session, { configId, value, by: "agent" });
      const { isUntold } = state;
      if (!isChanged && !isUntold) return;
      state.isUntold = false;
      try {
        if (isUntold || configId === state.modeOption?.id) await tellMode?.(session, state);
        await tell(session, state);
      } catch (error) {
        state.isUntold = true;
        throw error;
      }
    },
    replace: async (session, options) => {
      const state = stateOf(session);
      const before = state.modeOption?.currentValue;
      state.replace(options);
      if (state.modeOption?.currentValue !== before) await tellMode?.(session, state);
      await tell(session, state);
    },
    choose: ({ configId, value }, { session, signal }) => {
      const state = stateOf(session);
      return state.inTurn(configId, async () => {
        refuse(state.problem(configId, value));
        const isChanged = await change(session, { configId, value, by: "client" });
        if (isChanged && configId === state.modeOption?.id) await tellMode?.(session, state);
        // The client does not hear the answer.
        if (isChanged && signal?.aborted) await tell(session, state);
        return { configOptions: state.options };
      });
    },
  };
}

/** What sessions that were opened otherwise have not been held to yet. */
export function refuse(problem: ArgumentProblem | undefined): void {
  if (problem !== undefined) throw invalidArguments(problem);
}
