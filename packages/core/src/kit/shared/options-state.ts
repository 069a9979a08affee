import { UsageError } from "../../base/errors.ts";
import { type ArgumentProblem, describeOwn } from "../../session/rules/arguments.ts";
import { checkAmong, checkOffer, valuesOf } from "../../session/rules/choices.ts";

/** A config option of either version; only the name of its id differs. */
export interface AnyOption {
  readonly type: string;
  readonly category?: string | null;
  readonly currentValue: string | boolean;
  readonly options?: unknown;
}

/** A change that may still be refused. */
export interface PendingChange {
  readonly id: string;
  readonly value: string | boolean;
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
  #pending: readonly PendingChange[] = [];
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
    return this.#pending.findLast((change) => change.id === id)?.value ?? this.#find(id)?.currentValue;
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

  /** Whether an option has this value, and no change of it is pending. */
  isSet(id: string, value: string | boolean): boolean {
    return this.#find(id)?.currentValue === value && !this.#pending.some((change) => change.id === id);
  }

  /** Begins to set an option to a value without a problem. End it with {@link accept} or {@link refuse}. */
  begin(id: string, value: string | boolean): PendingChange {
    const change = { id, value };
    this.#pending = [...this.#pending, change];
    return change;
  }

  /** Has no effect if a later change of the option, or another list, was accepted before. */
  accept(change: PendingChange): void {
    const at = this.#pending.indexOf(change);
    if (at < 0) return;
    const { id, value } = change;
    // Earlier changes are replaced by this one, whether they are accepted or refused later.
    this.#pending = this.#pending.filter((other, index) => other.id !== id || index > at);
    this.#options = this.#options.map((option) => {
      const isChanged = this.#rules.idOf(option) === id && typeof option.currentValue === typeof value;
      return isChanged ? { ...option, currentValue: value } : option;
    });
  }

  refuse(change: PendingChange): void {
    this.#pending = this.#pending.filter((other) => other !== change);
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
    this.#pending = this.#pending.filter(({ id }) => !ids.includes(id));
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
