/** The variables of an agent, with `${NAME}` replaced, or the variables that are missing. */
export type ExpandedVariables =
  | { readonly env: Readonly<Record<string, string>> }
  | { readonly missing: { readonly member: string; readonly variable: string } };

/** Replaces `${NAME}` by the variable of the environment. Everything else, also `$NAME`, stays as it is. */
export function expandVariables(
  values: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): ExpandedVariables {
  const expanded: [string, string][] = [];
  for (const [member, value] of Object.entries(values)) {
    const missing = [...value.matchAll(reference)].find(([, variable = ""]) => env[variable] === undefined);
    if (missing !== undefined) return { missing: { member, variable: missing[1] ?? "" } };
    expanded.push([member, value.replaceAll(reference, (_, variable: string) => env[variable] ?? "")]);
  }
  return { env: Object.fromEntries(expanded) };
}

const reference = /\$\{([A-Za-z_]\w*)\}/gu;
