import type { SessionConfigOption, SessionConfigSelectOption, SessionModeState } from "@acp/schema/v1/types";
import { UsageError } from "../errors.ts";
import { type ArgumentProblem, describeOwn } from "../v1/arguments.ts";
import { checkChoice, checkOffer } from "../v1/choices.ts";

type SelectOption = Extract<SessionConfigOption, { type: "select" }>;

/** A change that may be refused yet. */
export interface PendingChange {
  readonly id: string;
  readonly value: string | boolean;
}

/** The options and modes of a session as they stand. There is one mode: the value of the option of category `mode`. */
export class SettingsState {
  #options: readonly SessionConfigOption[] = [];
  /** The client could not be told of a change. */
  isUntold = false;
  /** The modes as they were declared, with what options have no room for. */
  readonly #modes: SessionModeState | undefined;
  /** In the order in which they began. Nobody but the author is told of them. */
  #pending: readonly PendingChange[] = [];
  /** The ends of the changes that a client has asked for last, by option. */
  readonly #turns = new Map<string, Promise<void>>();

  /**
   * @throws {UsageError} if a value is none of those listed (CONF-11), a category is neither the protocol's nor begins
   * with an underscore (CONF-09), or modes and options do not say the same (CONF-17).
   */
  constructor(options: readonly SessionConfigOption[], modes: SessionModeState | undefined) {
    this.#modes = modes;
    this.#options = this.#checked(options);
  }

  /** The complete list (CONF-14). */
  get options(): SessionConfigOption[] {
    return [...this.#options];
  }

  /** The option that holds the mode. */
  get modeOption(): SelectOption | undefined {
    return this.#options.find(isMode);
  }

  /** The modes, for clients that know no options (CONF-18). */
  get modes(): SessionModeState | undefined {
    const option = this.modeOption;
    if (option === undefined) return undefined;
    const values = valuesOf(option).map(({ value, name, description }) => ({ id: value, name, description }));
    return { availableModes: values, ...this.#modes, currentModeId: option.currentValue };
  }

  /** The value that an option has, or is about to have. */
  value(id: string): string | boolean | undefined {
    return this.#pending.findLast((change) => change.id === id)?.value ?? this.#find(id)?.currentValue;
  }

  /** All of them. */
  get values(): Record<string, string | boolean> {
    return Object.fromEntries(this.#options.map(({ id, currentValue }) => [id, this.value(id) ?? currentValue]));
  }

  /** What is wrong with a value for an option (MODE-02, CONF-13). */
  problem(configId: string, value: unknown): ArgumentProblem | undefined {
    return checkChoice("session/set_config_option", { configId, value }, { configOptions: this.#options });
  }

  /** Whether an option has this value, and keeps it: none of its changes is pending. */
  isSet(id: string, value: string | boolean): boolean {
    return this.#find(id)?.currentValue === value && !this.#pending.some((change) => change.id === id);
  }

  /** Sets an option to a value without {@link problem}. */
  set(id: string, value: string | boolean): void {
    this.accept(this.begin(id, value));
  }

  /** Begins to set an option to such a value; what has it ends with {@link accept} or {@link refuse}. */
  begin(id: string, value: string | boolean): PendingChange {
    const change = { id, value };
    this.#pending = [...this.#pending, change];
    return change;
  }

  /** Without effect where a later change of the option, or another list, was accepted before. */
  accept(change: PendingChange): void {
    const at = this.#pending.indexOf(change);
    if (at < 0) return;
    const { id, value } = change;
    // Whatever becomes of earlier ones, this one has replaced them.
    this.#pending = this.#pending.filter((other, index) => other.id !== id || index > at);
    this.#options = this.#options.map((option) => {
      if (option.id !== id) return option;
      if (option.type === "boolean") return typeof value === "boolean" ? { ...option, currentValue: value } : option;
      return typeof value === "string" ? { ...option, currentValue: value } : option;
    });
  }

  refuse(change: PendingChange): void {
    this.#pending = this.#pending.filter((other) => other !== change);
  }

  /**
   * Runs what a client has asked for once its earlier changes of the option are decided: it takes what is answered last
   * for what holds, and the answer about a mode does not say which one does.
   */
  inTurn<R>(id: string, run: () => Promise<R>): Promise<R> {
    const earlier = this.#turns.get(id);
    const running = earlier === undefined ? run() : earlier.then(run);
    const end = (): void => {
      if (this.#turns.get(id) === settled) this.#turns.delete(id);
    };
    const settled = running.then(end, end);
    this.#turns.set(id, settled);
    return running;
  }

  /** Takes another list of options. The modes stay, and their value, unless the list says otherwise. */
  replace(options: readonly SessionConfigOption[]): void {
    this.#options = this.#checked(options);
    this.#pending = this.#pending.filter(({ id }) => !options.some((option) => option.id === id));
  }

  #find(id: string): SessionConfigOption | undefined {
    return this.#options.find((option) => option.id === id);
  }

  #checked(given: readonly SessionConfigOption[]): readonly SessionConfigOption[] {
    const modes = this.#modes;
    const own = given.find(isMode);
    const made = modes === undefined || own !== undefined ? [] : [modeOption(modes, this.modeOption?.currentValue)];
    const options = [...made, ...given];
    // The modes by themselves: an error names the place that was written, not the option that is made of them.
    const problem = checkOffer({ configOptions: given, modes }, {});
    if (problem !== undefined) throw new UsageError(describeOwn(problem));
    const strange = options.find(({ category }) => category != null && !isCategory(category));
    if (strange !== undefined) {
      throw new UsageError(`'${strange.category}' is no category; one of your own begins with an underscore (CONF-09)`);
    }
    if (modes !== undefined && own !== undefined && !isSame(own, modes)) {
      throw new UsageError(`The config option '${own.id}' does not list the same as the modes do (CONF-17)`);
    }
    return options;
  }
}

/** Whether the protocol has this category, or leaves the name to us (CONF-09). */
function isCategory(name: string): boolean {
  return name.startsWith("_") || ["mode", "model", "model_config", "thought_level"].includes(name);
}

function isMode(option: SessionConfigOption): option is SelectOption {
  return option.type === "select" && option.category === "mode";
}

function valuesOf({ options }: SelectOption): readonly SessionConfigSelectOption[] {
  return options.flatMap((one) => ("group" in one ? one.options : [one]));
}

function isSame(option: SelectOption, { availableModes }: SessionModeState): boolean {
  const values = new Set(valuesOf(option).map(({ value }) => value));
  return values.size === availableModes.length && availableModes.every(({ id }) => values.has(id));
}

/** The modes as an option, for clients that ignore modes where there are options (CONF-02). */
function modeOption({ currentModeId, availableModes }: SessionModeState, current = currentModeId): SelectOption {
  return {
    type: "select",
    id: "mode",
    name: "Mode",
    category: "mode",
    currentValue: current,
    options: availableModes.map(({ id, name, description }) => ({ value: id, name, description })),
  };
}
