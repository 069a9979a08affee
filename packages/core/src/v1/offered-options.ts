import type { CallRules } from "./call-rules.ts";

/**
 * A result or an update without the config options that the peer cannot show (CONF-05). It gets the
 * others: an agent need not make up two lists, as with its login methods.
 */
export function offerOptions(rules: CallRules, method: string, holder: unknown): unknown {
  const { methods, peer, mode, isOpen } = rules.options;
  const { configOptions } = (holder ?? {}) as { readonly configOptions?: unknown };
  if (!Array.isArray(configOptions)) return holder;
  const closed = configOptions.filter(({ type }: { readonly type: string }) => {
    const gate = methods.variantGate("SessionConfigOption", type);
    return gate !== undefined && !isOpen(gate, holder);
  });
  if (closed.length === 0) return holder;
  const isKept = mode === "diagnose";
  const what = `${method} has config options of a type that ${peer} did not advertise to take`;
  rules.warn(method, `${what}; they are ${isKept ? "sent all the same" : "left out"}`, "CONF-05");
  if (isKept) return holder;
  return { ...(holder as object), configOptions: configOptions.filter((option) => !closed.includes(option)) };
}
