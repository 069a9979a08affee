import { optionError } from "../cli/options.ts";
import type { Session } from "../protocol/agent.ts";
import { printableLine } from "../text/printable.ts";
import { execSpec } from "./exec-spec.ts";

const specs = execSpec.options;

/** How many values an error lists. */
const listed = 12;

/**
 * Selects the mode and the model of a session by their id, or by their name.
 *
 * @throws {CommandLineError} if the agent has no such one.
 */
export async function selectOptions(
  session: Session,
  wanted: { readonly mode: string | undefined; readonly model: string | undefined },
): Promise<void> {
  for (const category of ["mode", "model"] as const) {
    const value = wanted[category];
    if (value === undefined) continue;
    const option = session.shown.options.find((one) => one.category === category);
    if (option === undefined)
      throw optionError(
        category,
        specs[category],
        `--${category}: the agent has no ${category}s to choose from. Leave it out`,
      );
    const choice =
      option.choices.find((one) => one.value === value) ??
      option.choices.find(({ name }) => name.toLowerCase() === value.toLowerCase());
    if (choice === undefined) {
      const values = option.choices.slice(0, listed).map((one) => printableLine(one.value));
      const more = option.choices.length > listed ? ", …" : "";
      throw optionError(
        category,
        specs[category],
        `--${category}: there is no ${value}. The agent has ${values.join(", ")}${more}`,
      );
    }
    if (choice.value !== option.value) await session.setOption(option, choice.value);
  }
}
