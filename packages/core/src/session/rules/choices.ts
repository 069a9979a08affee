import type { Path } from "@acp/schema";
import type { Received } from "@acp/schema/v1/types";
import type { ArgumentProblem } from "./arguments.ts";

/** What a session offers to choose from, as both sides know it. */
export interface Choices {
  readonly modes?: Received.SessionModeState | null | undefined;
  readonly configOptions?: readonly Received.SessionConfigOption[] | null | undefined;
}

/** Whether an update changes what a session offers, or what is chosen of it; hardly any does. */
export function offersChoices(update: object): boolean {
  return "configOptions" in update || "currentModeId" in update;
}

/** What is wrong with a choice that is made: of a mode (MODE-02) or of an option's value (CONF-13). */
export function checkChoice(
  method: string,
  params: unknown,
  { modes, configOptions }: Choices,
): ArgumentProblem | undefined {
  const { modeId, configId, value } = params as Record<string, unknown>;
  if (method === "session/set_mode" && modes != null) {
    return checkAmong(["modeId"], modeId, idsOf(modes.availableModes), "MODE-02");
  }
  if (method !== "session/set_config_option" || configOptions == null) return undefined;
  const option = configOptions.find(({ id }) => id === configId);
  if (option === undefined) return checkAmong(["configId"], configId, idsOf(configOptions), "CONF-13");
  const values = option.type === "boolean" ? [true, false] : valuesOf(option);
  return values && checkAmong(["value"], value, values, "CONF-13");
}

/**
 * What is wrong with what is offered: a current value or mode that cannot be chosen (CONF-11, MODE-05). It may be what
 * a handler in JavaScript has made, so nothing in it is taken for granted.
 */
export function checkOffer(holder: unknown, known: Choices): ArgumentProblem | undefined {
  const { configOptions, modes, currentModeId } = (holder ?? {}) as Choices & { readonly currentModeId?: string };
  for (const [index, option] of Array.isArray(configOptions) ? configOptions.entries() : []) {
    const values = valuesOf(option);
    // Of an empty list, more may have been told than could be read.
    if (!values?.length) continue;
    const problem = checkAmong(["configOptions", index, "currentValue"], option?.currentValue, values, "CONF-11");
    if (problem !== undefined) return problem;
  }
  const available = (modes ?? known.modes)?.availableModes;
  const current = modes?.currentModeId ?? currentModeId;
  if (current === undefined || !Array.isArray(available) || available.length === 0) return undefined;
  return checkAmong(
    modes == null ? ["currentModeId"] : ["modes", "currentModeId"],
    current,
    idsOf(available),
    "MODE-05",
  );
}

/** What is wrong with something that is none of what is offered. */
export function checkAmong(
  path: Path,
  made: unknown,
  offered: readonly unknown[],
  rule: string,
): ArgumentProblem | undefined {
  if (offered.includes(made)) return undefined;
  return { path, reason: "is none of those that are offered", rule, got: made, offered };
}

function idsOf(items: readonly ({ readonly id: string } | null)[]): readonly unknown[] {
  return items.map((item) => item?.id);
}

/** The values of an option to select from, in groups or not; `undefined` for one of another type. */
export function valuesOf(
  option: { readonly type?: string; readonly options?: unknown } | null,
): readonly unknown[] | undefined {
  if (option?.type !== "select" || !Array.isArray(option.options)) return undefined;
  const items: readonly ({ readonly options?: unknown; readonly value?: unknown } | null)[] = option.options;
  return items.flatMap((item) => (Array.isArray(item?.options) ? item.options : [item])).map((item) => item?.value);
}
