import type { SessionConfigOption, SessionConfigSelectOption, SessionModeState } from "@acp/schema/v1/types";
import { UsageError } from "../../base/errors.ts";
import { checkOptions, OptionsState } from "../shared/options-state.ts";

type SelectOption = Extract<SessionConfigOption, { type: "select" }>;

/** The options and modes of a session. There is one mode: the value of the option of category `mode`. */
export class ModeSettings extends OptionsState<SessionConfigOption> {
  /** The modes as declared, with members that options lack. */
  readonly #modes: SessionModeState | undefined;

  /** @throws {UsageError} as {@link checkOptions} does, and if modes and options differ (CONF-17). */
  constructor(options: readonly SessionConfigOption[], modes: SessionModeState | undefined) {
    super(withModes(options, modes), ({ id }) => id);
    this.#modes = modes;
  }

  override get modeOption(): SelectOption | undefined {
    return this.options.find(isModeOption);
  }

  /** The modes, for clients that do not know options (CONF-18). */
  get modes(): SessionModeState | undefined {
    const option = this.modeOption;
    if (option === undefined) return undefined;
    const values = valuesOf(option).map(({ value, name, description }) => ({ id: value, name, description }));
    return { availableModes: values, ...this.#modes, currentModeId: option.currentValue };
  }

  /** Replaces the list of options. The modes and the current one stay, unless the list has an option for them. */
  override replace(options: readonly SessionConfigOption[]): void {
    super.replace(options, withModes(options, this.#modes, this.modeOption?.currentValue));
  }
}

/** The declared options, checked, together with the one that is made of the modes. */
function withModes(
  options: readonly SessionConfigOption[],
  modes: SessionModeState | undefined,
  current?: string,
): readonly SessionConfigOption[] {
  // Modes are checked as modes, so that an error names the place in the declaration.
  checkOptions(options, modes);
  const own = options.find(isModeOption);
  if (modes !== undefined && own !== undefined && !isSame(own, modes)) {
    throw new UsageError(`The config option '${own.id}' does not list the same as the modes do (CONF-17)`);
  }
  return modes === undefined || own !== undefined ? options : [toOption(modes, current), ...options];
}

function isModeOption(option: SessionConfigOption): option is SelectOption {
  return option.type === "select" && option.category === "mode";
}

function valuesOf({ options }: SelectOption): readonly SessionConfigSelectOption[] {
  return options.flatMap((one) => ("group" in one ? one.options : [one]));
}

function isSame(option: SelectOption, { availableModes }: SessionModeState): boolean {
  const values = new Set(valuesOf(option).map(({ value }) => value));
  return values.size === availableModes.length && availableModes.every(({ id }) => values.has(id));
}

/** The modes as an option, for clients that ignore modes if there are options (CONF-02). */
function toOption({ currentModeId, availableModes }: SessionModeState, current = currentModeId): SelectOption {
  return {
    type: "select",
    id: "mode",
    name: "Mode",
    category: "mode",
    currentValue: current,
    options: availableModes.map(({ id, name, description }) => ({ value: id, name, description })),
  };
}
