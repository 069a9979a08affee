import type { CallRules } from "../rules/call-rules.ts";
import { describeGate } from "@acp/schema";

/**
 * Removes the entries of a list that need a capability which the peer did not advertise. A diagnostic reports that; in the
 * mode `diagnose` the entries are sent all the same.
 */
export function withoutUnsupportedVariants<T extends { readonly type?: string }>(
  rules: CallRules,
  method: string,
  union: string,
  entries: readonly T[],
  name: string,
  rule: string,
): readonly T[] {
  const { methods, peer, mode, isOpen } = rules;
  let capability: string | undefined;
  const open = entries.filter((entry) => {
    const gate = methods.variantGate(union, entry.type ?? "");
    if (gate === undefined || isOpen(gate, entry)) return true;
    capability ??= describeGate(gate);
    return false;
  });
  if (capability === undefined) return entries;
  const what = `${method} has ${name} of a type that ${peer} did not advertise to take`;
  if (mode === "diagnose") {
    rules.warn(method, `${what}; they are sent all the same`, rule);
    return entries;
  }
  rules.reportLeftOut(method, `${what}; they were left out`, capability);
  return open;
}

/** Removes the config options that the peer cannot show from a result or an update (CONF-05), so that agents need only one list. */
export function withoutUnsupportedOptions(rules: CallRules, method: string, holder: unknown): unknown {
  const { configOptions } = (holder ?? {}) as { readonly configOptions?: unknown };
  if (!Array.isArray(configOptions)) return holder;
  const open = withoutUnsupportedVariants(
    rules,
    method,
    "SessionConfigOption",
    configOptions,
    "config options",
    "CONF-05",
  );
  return open === configOptions ? holder : { ...(holder as object), configOptions: open };
}
