import type { ArgumentProblem } from "../session/rules/arguments.ts";
import { checkAmong, valuesOf } from "../session/rules/choices.ts";

/** An option as the handlers of an agent have made it, so nothing in it is taken for granted. */
type Option = { readonly configId?: unknown; readonly type?: string; readonly options?: unknown } | null | undefined;

/** What is wrong with a value that a client has chosen for an option: no such option, or a value that is not offered. */
export function checkConfigChoice(params: unknown, offered: unknown): ArgumentProblem | undefined {
  if (!Array.isArray(offered)) return undefined;
  const options: readonly Option[] = offered;
  const { configId, value } = params as { readonly configId?: unknown; readonly value?: unknown };
  const ids = options.map((known) => known?.configId);
  const option = options[ids.indexOf(configId)];
  if (option == null) return checkAmong(["configId"], configId, ids, "CONF-13");
  const values = option.type === "boolean" ? [true, false] : valuesOf(option);
  return values && checkAmong(["value"], value, values, "CONF-13");
}
