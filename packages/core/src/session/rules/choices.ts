import type { Path } from "@acp/schema";
import type { ArgumentProblem } from "./arguments.ts";

/** A config option, as far as choices are checked. A handler in JavaScript may have made it, so any of it may be missing. */
export interface ConfigOption {
  readonly type?: string;
  readonly options?: unknown;
  readonly currentValue?: unknown;
}

/** The modes of a session. */
export interface SessionModes {
  readonly availableModes: readonly { readonly id: string }[];
  readonly currentModeId: string;
}

/** The choices that a session offers, as both sides know them. */
export interface Choices {
  readonly modes?: SessionModes | null | undefined;
  readonly configOptions?: readonly ConfigOption[] | null | undefined;
}

/** True if an update changes a session's choices or the chosen values; few do. */
export function offersChoices(update: object): boolean {
  return "configOptions" in update || "currentModeId" in update;
}

/** The problem of a mode that is not offered (MODE-02). */
export function checkModeChoice(modeId: unknown, { availableModes }: SessionModes): ArgumentProblem | undefined {
  return checkAmong(["modeId"], modeId, idsOf(availableModes, "id"), "MODE-02");
}

/**
 * The problem of a value that is not offered for a config option, or of an unknown option (CONF-13).
 *
 * @param idMember The member of an option that has its id.
 */
export function checkConfigChoice(
  params: unknown,
  configOptions: unknown,
  idMember: "id" | "configId",
): ArgumentProblem | undefined {
  if (!Array.isArray(configOptions)) return undefined;
  const { configId, value } = params as { readonly configId?: unknown; readonly value?: unknown };
  const ids = idsOf(configOptions, idMember);
  const option: ConfigOption | null | undefined = configOptions[ids.indexOf(configId)];
  if (option == null) return checkAmong(["configId"], configId, ids, "CONF-13");
  const values = option.type === "boolean" ? [true, false] : valuesOf(option);
  return values && checkAmong(["value"], value, values, "CONF-13");
}

/** The problem of an offer whose current value or mode cannot be chosen (CONF-11, MODE-05). */
export function checkOffer(holder: unknown, known: Choices): ArgumentProblem | undefined {
  const { configOptions, modes, currentModeId } = (holder ?? {}) as Choices & { readonly currentModeId?: string };
  for (const [index, option] of Array.isArray(configOptions) ? configOptions.entries() : []) {
    const values = valuesOf(option);
    // An empty list may have had more values than could be read.
    if (!values?.length) continue;
    const problem = checkAmong(["configOptions", index, "currentValue"], option?.currentValue, values, "CONF-11");
    if (problem !== undefined) return problem;
  }
  const available = (modes ?? known.modes)?.availableModes;
  const current = modes?.currentModeId ?? currentModeId;
  if (current === undefined || !Array.isArray(available) || available.length === 0) return undefined;
  const path = modes == null ? ["currentModeId"] : ["modes", "currentModeId"];
  return checkAmong(path, current, idsOf(available, "id"), "MODE-05");
}

/** The problem of a value that was not offered. */
export function checkAmong(
  path: Path,
  got: unknown,
  offered: readonly unknown[],
  rule: string,
  reason = "is none of those that are offered",
): ArgumentProblem | undefined {
  return offered.includes(got) ? undefined : { path, reason, rule, got, offered };
}

/** The member of each item that has its id. */
export function idsOf(items: readonly unknown[], member: string): readonly unknown[] {
  return items.map((item) => (item as Record<string, unknown> | null | undefined)?.[member]);
}

/** The values of an option to select from, in groups or not; `undefined` for one of another type. */
export function valuesOf(option: ConfigOption | null): readonly unknown[] | undefined {
  if (option?.type !== "select" || !Array.isArray(option.options)) return undefined;
  const items: readonly ({ readonly options?: unknown; readonly value?: unknown } | null)[] = option.options;
  return items.flatMap((item) => (Array.isArray(item?.options) ? item.options : [item])).map((item) => item?.value);
}
