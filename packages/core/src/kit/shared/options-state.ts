import { UsageError } from "../../base/errors.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import { type ArgumentProblem, describeOwn } from "../../session/rules/arguments.ts";
import { checkAmong, checkOffer, valuesOf } from "../../session/rules/choices.ts";

/** A config option of either version; only the name of its id differs. */
export interface AnyOption {
  readonly type: string;
  readonly category?: string | null;
  readonly currentValue: string | boolean;
  readonly options?: unknown;
}

/** A change of one option. */
export interface SettingChange {
  /**
   * The id of the option. For a change of the mode, the id of the option that holds it: in version 1, `mode` by
   * default.
   */
  readonly configId: string;
  /** The new value. */
  readonly value: string | boolean;
  /** Who changed it. */
  readonly by: "client" | "agent";
}

/** How a version treats its options. */
export interface OptionRules<Option> {
  readonly idOf: (option: Option) => string;
  /**
   * Checks declared options, and adds those that follow from other settings. `mode` is the current mode.
   *
   * @throws {UsageError} as {@link checkOptions} does.
   */
  complete(declared: readonly Option[], mode?: string): readonly Option[];
  /** Finds the option that holds the mode, in a version that has modes besides options. */
  findMode?(options: readonly Option[]): { readonly id: string; readonly currentValue: string } | undefined;
}

/** The config options of one session. */
export class OptionsState<Option extends AnyOption> {
  #options: readonly Option[];
  /** Whether an update with a change could not be sent, so that the client has an old list. */
  isClientOutdated = false;
  /** In the order in which they began. Only the agent can see them. */
  #pending: readonly SettingChange[] = [];
  /** For each option, the end of the last change that a client requested. */
  readonly #clientChanges = new Map<string, Promise<void>>();
  readonly #rules: OptionRules<Option>;

  constructor(declared: readonly Option[], rules: OptionRules<Option>) {
    this.#options = rules.complete(declared);
    this.#rules = rules;
  }

  /** The complete list (CONF-14). */
  get options(): Option[] {
    return [...this.#options];
  }

  get mode(): { readonly id: string; readonly currentValue: string } | undefined {
    return this.#rules.findMode?.(this.#options);
  }

  /** The value of an option, or the one that is pending. */
  value(id: string): string | boolean | undefined {
    return this.#pending.findLast(({ configId }) => configId === id)?.value ?? this.#find(id)?.currentValue;
  }

  get values(): Record<string, string | boolean> {
    const { idOf } = this.#rules;
    const valueOf = (option: Option): string | boolean => this.value(idOf(option)) ?? option.currentValue;
    return Object.fromEntries(this.#options.map((option) => [idOf(option), valueOf(option)]));
  }

  /** Why an option cannot have a value (MODE-02, CONF-13). */
  findProblem(id: string, value: unknown): ArgumentProblem | undefined {
    const option = this.#find(id);
    if (option === undefined) return checkAmong(["configId"], id, this.#options.map(this.#rules.idOf), "CONF-13");
    const values = option.type === "boolean" ? [true, false] : valuesOf(option);
    return values && checkAmong(["value"], value, values, "CONF-13");
  }

  /** Sets an option to a value without a problem. */
  set(id: string, value: string | boolean): void {
    this.#options = this.#options.map((option) => {
      const isMeant = this.#rules.idOf(option) === id && typeof option.currentValue === typeof value;
      return isMeant ? { ...option, currentValue: value } : option;
    });
  }

  /**
   * The same, once `save` has resolved; if it throws, the change is refused. Resolves with whether the value is a new one. A
   * change has no effect if a later one of the option, or another list, is accepted first.
   */
  async change(change: SettingChange, save: () => Awaitable<void>): Promise<boolean> {
    const { configId: id, value, by } = change;
    // A pending value is enough for the agent, which is setting it; a client has to wait until it is accepted.
    const isPending = by === "client" && this.#pending.some(({ configId }) => configId === id);
    const current = by === "client" ? this.#find(id)?.currentValue : this.value(id);
    if (current === undefined || (current === value && !isPending)) return false;
    this.#pending = [...this.#pending, change];
    try {
      await save();
    } catch (error) {
      this.#pending = this.#pending.filter((other) => other !== change);
      throw error;
    }
    const at = this.#pending.indexOf(change);
    if (at < 0) return true;
    // Earlier changes are replaced by this one, whether they are accepted or refused later.
    this.#pending = this.#pending.filter(({ configId }, index) => configId !== id || index > at);
    this.set(id, value);
    return true;
  }

  /**
   * Runs a change that a client requested after its earlier changes of the same option. The client takes the last answer
   * for the current value, and the answer about a mode does not name the mode.
   */
  afterEarlierChanges<R>(id: string, run: () => Promise<R>): Promise<R> {
    const earlier = this.#clientChanges.get(id);
    const running = earlier === undefined ? run() : earlier.then(run);
    const end = (): void => {
      if (this.#clientChanges.get(id) === settled) this.#clientChanges.delete(id);
    };
    const settled = running.then(end, end);
    this.#clientChanges.set(id, settled);
    return running;
  }

  /** Replaces the list. Pending changes of the options in it are dropped. */
  replace(declared: readonly Option[]): void {
    this.#options = this.#rules.complete(declared, this.mode?.currentValue);
    const ids = declared.map(this.#rules.idOf);
    this.#pending = this.#pending.filter(({ configId }) => !ids.includes(configId));
  }

  #find(id: string): Option | undefined {
    return this.#options.find((option) => this.#rules.idOf(option) === id);
  }
}

/**
 * Checks the options and modes that an agent declares, and returns the options.
 *
 * @throws {UsageError} a current value is not listed (CONF-11), or a category is neither one of the protocol nor begins with
 * an underscore (CONF-09).
 */
export function checkOptions<Option extends AnyOption>(
  configOptions: readonly Option[],
  modes?: object,
): readonly Option[] {
  const problem = checkOffer({ configOptions, modes }, {});
  if (problem !== undefined) throw new UsageError(describeOwn(problem));
  const unknown = configOptions.find(({ category }) => category != null && !isCategory(category));
  if (unknown !== undefined) {
    throw new UsageError(`'${unknown.category}' is no category; one of your own begins with an underscore (CONF-09)`);
  }
  return configOptions;
}

function isCategory(name: string): boolean {
  return name.startsWith("_") || ["mode", "model", "model_config", "thought_level"].includes(name);
}
