import type { SessionConfigOption } from "@acp/schema/v1/types";
import { UsageError } from "../../base/errors.ts";
import { type ArgumentProblem, describeOwn } from "../../session/rules/arguments.ts";
import { checkChoice, checkOffer } from "../../session/rules/choices.ts";

/** An option as each version of the protocol has it, but for the name of its id. */
export interface AnyOption {
  readonly type: string;
  readonly category?: string | null;
  readonly currentValue: string | boolean;
}

/** A change that may be refused yet. */
export interface PendingChange {
  readonly id: string;
  readonly value: string | boolean;
}

/** The options of a session as they stand. */
export class OptionsState<Option extends AnyOption> {
  #options: readonly Option[];
  /** The client could not be told of a change. */
  isUntold = false;
  /** In the order in which they began. Nobody but the author is told of them. */
  #pending: readonly PendingChange[] = [];
  /** The ends of the changes that a client has asked for last, by option. */
  readonly #turns = new Map<string, Promise<void>>();
  /** The id of an option, which has another name in each version. */
  readonly #idOf: (option: Option) => string;

  /** The options have to be checked; see {@link checkOptions}. */
  constructor(options: readonly Option[], idOf: (option: Option) => string) {
    this.#options = options;
    this.#idOf = idOf;
  }

  /** The complete list (CONF-14). */
  get options(): Option[] {
    return [...this.#options];
  }

  /** The option that holds the mode, where the version of the protocol has modes besides. */
  get modeOption(): { readonly id: string; readonly currentValue: string } | undefined {
    return undefined;
  }

  /** The value that an option has, or is about to have. */
  value(id: string): string | boolean | undefined {
    return this.#pending.findLast((change) => change.id === id)?.value ?? this.#find(id)?.currentValue;
  }

  /** All of them. */
  get values(): Record<string, string | boolean> {
    const ids = this.#options.map(this.#idOf);
    return Object.fromEntries(ids.map((id) => [id, this.value(id) as string | boolean]));
  }

  /** What is wrong with a value for an option (MODE-02, CONF-13). */
  problem(configId: string, value: unknown): ArgumentProblem | undefined {
    const named = this.#options.map((option) => ({ ...option, id: this.#idOf(option) }));
    // Nothing else of them is looked at.
    const configOptions = named as readonly object[] as readonly SessionConfigOption[];
    return checkChoice("session/set_config_option", { configId, value }, { configOptions });
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
      const isMeant = this.#idOf(option) === id && typeof option.currentValue === typeof value;
      return isMeant ? { ...option, currentValue: value } : option;
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

  /** Takes another list, of these options or of `all`. What was begun for one of the given counts no more. */
  replace(given: readonly Option[], all: readonly Option[] = given): void {
    this.#options = all;
    this.#pending = this.#pending.filter(({ id }) => !given.some((option) => this.#idOf(option) === id));
  }

  #find(id: string): Option | undefined {
    return this.#options.find((option) => this.#idOf(option) === id);
  }
}

/**
 * Checks what an agent declares.
 *
 * @throws {UsageError} if a value is none of those listed (CONF-11), or a category is neither the protocol's nor begins with
 * an underscore (CONF-09).
 */
export function checkOptions(configOptions: readonly AnyOption[], modes?: object): void {
  const problem = checkOffer({ configOptions, modes }, {});
  if (problem !== undefined) throw new UsageError(describeOwn(problem));
  const strange = configOptions.find(({ category }) => category != null && !isCategory(category));
  if (strange !== undefined) {
    throw new UsageError(`'${strange.category}' is no category; one of your own begins with an underscore (CONF-09)`);
  }
}

/** Whether the protocol has this category, or leaves the name to us (CONF-09). */
function isCategory(name: string): boolean {
  return name.startsWith("_") || ["mode", "model", "model_config", "thought_level"].includes(name);
}
