import type { ArgumentProblem } from "../session/rules/arguments.ts";
import { checkConfigChoice, checkModeChoice, type Choices } from "../session/rules/choices.ts";

/** The problem of a request that chooses a mode (MODE-02) or the value of an option (CONF-13) that the session does not offer. */
export function checkChoice(
  method: string,
  params: unknown,
  { modes, configOptions }: Choices,
): ArgumentProblem | undefined {
  if (method === "session/set_mode" && modes != null) {
    return checkModeChoice((params as { readonly modeId?: unknown }).modeId, modes);
  }
  return method === "session/set_config_option" ? checkConfigChoice(params, configOptions, "id") : undefined;
}
