// Modes beside options: there is one mode, the value of the option of category `mode`.
import type { SessionConfigOption, SessionConfigSelectOption, SessionModeState } from "@acp/schema/v1/types";
import { UsageError } from "../../base/errors.ts";
import { checkOptions } from "../shared/options-state.ts";

type SelectOption = Extract<SessionConfigOption, { type: "select" }>;

/** The option that holds the mode. */
export function findModeOption(options: readonly SessionConfigOption[]): SelectOption | undefined {
  return options.find((option): option is SelectOption => option.type === "select" && option.category === "mode");
}

/**
 * The declared options, together with the one that is made of the modes.
 *
 * @throws {UsageError} as {@link checkOptions} does, and if modes and options differ (CONF-17).
 */
export function withModes(
  options: readonly SessionConfigOption[],
  modes: SessionModeState | undefined,
  current?: string,
): readonly SessionConfigOption[] {
  // Modes are checked as modes, so that an error names the place in the declaration.
  checkOptions(options, modes);
  const own = findModeOption(options);
  if (modes === undefined) return options;
  if (own === undefined) return [toOption(modes, current), ...options];
  const values = new Set(valuesOf(own).map(({ value }) => value));
  const { availableModes } = modes;
  if (values.size === availableModes.length && availableModes.every(({ id }) => values.has(id))) return options;
  throw new UsageError(`The config option '${own.id}' does not list the same as the modes do (CONF-17)`);
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

/** The modes, for clients that do not know options (CONF-18). The declared ones have members that options lack. */
export function toModes(
  options: readonly SessionConfigOption[],
  declared: SessionModeState | undefined,
): SessionModeState | undefined {
  const option = findModeOption(options);
  if (option === undefined) return undefined;
  const values = valuesOf(option).map(({ value, name, description }) => ({ id: value, name, description }));
  return { availableModes: values, ...declared, currentModeId: option.currentValue };
}

function valuesOf({ options }: SelectOption): readonly SessionConfigSelectOption[] {
  return options.flatMap((one) => ("group" in one ? one.options : [one]));
}
