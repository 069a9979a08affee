import type { CallRules } from "./call-rules.ts";
import { describeGate } from "./gates.ts";

/**
 * A result or an update without the config options that the peer cannot show (CONF-05). It gets the
 * others: an agent need not make up two lists, as with its login methods.
 */
export function offerOptions(rules: CallRules, method: string, holder: unknown): unknown {
  const { methods, peer, mode, isOpen, report } = rules.options;
  const { configOptions } = (holder ?? {}) as { readonly configOptions?: unknown };
  if (!Array.isArray(configOptions)) return holder;
  let capability: string | undefined;
  const open = configOptions.filter(({ type }: { readonly type: string }) => {
    const gate = methods.variantGate("SessionConfigOption", type);
    if (gate === undefined || isOpen(gate, holder)) return true;
    capability ??= describeGate(gate);
    return false;
  });
  if (capability === undefined) return holder;
  const what = `${method} has config options of a type that ${peer} did not advertise to take`;
  if (mode === "diagnose") {
    rules.warn(method, `${what}; they are sent all the same`, "CONF-05");
    return holder;
  }
  report({ type: "left-out", level: "info", message: `${what}; they were left out`, method, capability });
  return { ...(holder as object), configOptions: open };
}
