import type { CallChange } from "../turn/any-turn.ts";
import { isObject } from "../values.ts";
import type { ToolDisplay } from "./tool-display.ts";

/** What the client sees of a call whose input is known, wholly or as far as the model has written it. */
export function describeCall(
  { title, locations, input: content, kind }: ToolDisplay,
  toolName: string,
  input: unknown,
): CallChange & { title: string } {
  const given: object = isObject(input) ? input : {};
  return {
    title: attempt(() => (typeof title === "function" ? title(given) : title)) || defaultTitle(toolName, input),
    ...(kind === undefined ? {} : { kind }),
    ...withValue(
      "locations",
      attempt(() => locations?.(given)),
    ),
    ...withValue(
      "content",
      attempt(() => content?.(given)),
    ),
    ...(input === undefined ? {} : { rawInput: input }),
  };
}

/** A display is written for whole inputs; half of one may be too little for it. */
function attempt<T>(describe: () => T): T | undefined {
  try {
    return describe();
  } catch {
    return undefined;
  }
}

function withValue<Key extends string, T>(key: Key, value: T | undefined): { [K in Key]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: T });
}

const longestValue = 80;

/** The name of the tool, and the first short text of the input: most tools name there what they work on. */
function defaultTitle(toolName: string, input: unknown): string {
  const texts = isObject(input) ? Object.values(input).filter((value) => typeof value === "string") : [];
  const first = texts.find((text) => text !== "" && text.length <= longestValue && !/[\r\n]/u.test(text));
  return first === undefined ? toolName : `${toolName} ${first}`;
}
