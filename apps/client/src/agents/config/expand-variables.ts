import type { Environment } from "../../cli/streams.ts";

/** The variables of an agent, with `${NAME}` replaced, or the variables that are missing. */
export type ExpandedVariables =
  | { readonly env: Readonly<Record<string, string>> }
  | { readonly missing: { readonly member: string; readonly variable: string } };

/**
 * Replaces `${NAME}` by the variable of the environment, and `${NAME:-text}` by the text if it is not set. `${env:NAME}` means
 * the same. `${input:name}`, for which other programs ask the user, is missing. Everything else, also `$NAME`, stays as it is.
 */
export function expandVariables(values: Readonly<Record<string, string>>, env: Environment): ExpandedVariables {
  const expanded: [string, string][] = [];
  for (const [member, value] of Object.entries(values)) {
    const missing = [...value.matchAll(reference)].find(
      ([, variable = "", otherwise]) => env[variable] === undefined && otherwise === undefined,
    );
    if (missing !== undefined) return { missing: { member, variable: missing[1] ?? "" } };
    expanded.push([
      member,
      value.replaceAll(reference, (_, variable: string, otherwise = "") => env[variable] ?? otherwise),
    ]);
  }
  return { env: Object.fromEntries(expanded) };
}

const reference = /\$\{(?:env:)?([A-Za-z_]\w*|input:[^}]*)(?::-([^}]*))?\}/gu;
