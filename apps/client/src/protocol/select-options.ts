import type { SessionOption } from "@acp/render";
import { printableLine } from "@acp/render/text";

import { wrongConfiguration } from "../cli/exit.ts";
import { optionError } from "../cli/options.ts";
import { runOptions } from "../cli/shared-options.ts";
import type { Session } from "./agent.ts";

/** An option of a session to set first. */
export interface WantedOption {
  /** The option of the command line that it is like. */
  readonly like: "model" | "mode" | "option";
  /** The id or the name of an option; `mode` and `model` by their category. */
  readonly id: string;
  readonly value: string | boolean;
  /** Where the configuration says so; `undefined` for the command line. */
  readonly place: string | undefined;
}

/** How many values an error lists. */
const listed = 12;

/**
 * Sets options of a session, by their ids or names, in this order: a model may decide which other options there are. Returns
 * them with their values.
 *
 * @throws {CommandLineError} or {ProgramFailure} if the agent has no such option, or no such value.
 */
export async function selectOptions(
  session: Session,
  wanted: readonly WantedOption[],
): Promise<readonly (readonly [option: SessionOption, value: string | boolean])[]> {
  const set: (readonly [SessionOption, string | boolean])[] = [];
  for (const one of wanted) {
    const option = find(session.shown.options, one);
    const value = valueOf(option, one);
    if (value !== option.value) await session.setOption(option, value);
    set.push([option, value]);
  }
  return set;
}

function find(options: readonly SessionOption[], wanted: WantedOption): SessionOption {
  const { like, id } = wanted;
  const option =
    like === "option"
      ? (options.find((one) => one.id === id) ?? options.find(({ name }) => isSame(name, id)))
      : options.find(({ category }) => category === like);
  if (option !== undefined) return option;
  if (like !== "option") throw wrong(wanted, `the agent has no ${like}s to choose from. Leave it out`);
  const ids = options.map((one) => one.id ?? one.name);
  throw wrong(wanted, ids.length === 0 ? "the agent has no options" : `there is no ${id}. The agent has ${list(ids)}`);
}

function valueOf({ choices }: SessionOption, wanted: WantedOption): string | boolean {
  const { id, like, value } = wanted;
  const text = String(value);
  if (choices.length === 0) {
    if (/^(?:true|on|false|off)$/u.test(text)) return text === "true" || text === "on";
    throw wrong(wanted, `${id} is on or off, and cannot be ${text}. Use true or false`);
  }
  const choice = choices.find((one) => one.value === text) ?? choices.find(({ name }) => isSame(name, text));
  if (choice !== undefined) return choice.value;
  const what = like === "option" ? `${id} cannot be ${text}` : `there is no ${text}`;
  throw wrong(wanted, `${what}. The agent has ${list(choices.map((one) => one.value))}`);
}

function isSame(name: string, written: string): boolean {
  return name.toLowerCase() === written.toLowerCase();
}

function list(words: readonly string[]): string {
  return words.slice(0, listed).map(printableLine).join(", ") + (words.length > listed ? ", …" : "");
}

function wrong({ like, place }: WantedOption, reason: string): Error {
  if (place === undefined) return optionError(runOptions, like, `--${like}: ${reason}`);
  return wrongConfiguration(`${place}: ${reason}`, "Correct the configuration");
}
