import type { SessionConfigOption, SessionConfigSelectOption, SessionModeState } from "@acp/schema/v1/types";
import { UsageError } from "../../base/errors.ts";
import { checkOptions, OptionsState } from "./options-state.ts";

type SelectOption = Extract<SessionConfigOption, { type: "select" }>;

/** The options and modes of a session as they stand. There is one mode: the value of the option of category `mode`. */
export class SettingsState extends OptionsState<SessionConfigOption> {
  /** The modes as they were declared, with what options have no room for. */
  readonly #modes: SessionModeState | undefined;

  /**
   * @throws {UsageError} if a value is none of those listed (CONF-11), a category is neither the protocol's nor begins
   * with an underscore (CONF-09), or modes and options do not say the same (CONF-17).
   */
  constructor(options: readonly SessionConfigOption[], modes: SessionModeState | undefined) {
    super(checked(options, modes), ({ id }) => id);
    this.#modes = modes;
  }

  /** The option that holds the mode. */
  override get modeOption(): SelectOption | undefined {
    return this.options.find(isMode);
  }

  /** The modes, for clients that know no options (CONF-18). */
  get modes(): SessionModeState | undefined {
    const option = this.modeOption;
    if (option === undefined) return undefined;
    const values = valuesOf(option).map(({ value, name, description }) => ({ id: value, name, description }));
    return { availableModes: values, ...this.#modes, currentModeId: option.currentValue };
  }

  /** Takes another list of options. The modes stay, and their value, unless the list says otherwise. */
  override replace(options: readonly SessionConfigOption[]): void {
    super.replace(options, checked(options, this.#modes, this.modeOption?.currentValue));
  }
}

/** The options with the one that is made of modes. */
function checked(
  given: readonly SessionConfigOption[],
  modes: SessionModeState | undefined,
  current?: string,
): readonly SessionConfigOption[] {
  // The modes by themselves: an error names the place that was written, not the option that is made of them.
  checkOptions(given, modes);
  const own = given.find(isMode);
  if (modes !== undefined && own !== undefined && !isSame(own, modes)) {
    throw new UsageError(`The config option '${own.id}' does not list the same as the modes do (CONF-17)`);
  }
  return modes === undefined || own !== undefined ? given : [modeOption(modes, current), ...given];
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
