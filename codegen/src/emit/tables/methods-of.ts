import type { Method, ProtocolModel, Side } from "../../model/protocol-model.ts";

/** The methods a side handles, by wire name. Protocol-level ones (`$/…`) are handled by agent and client alike. */
export function handledBy(model: ProtocolModel, role: Side, kind: Method["kind"]): readonly Method[] {
  const sides: readonly Side[] = role === "agent" || role === "client" ? [role, "protocol"] : [role];
  return model.methods.filter((method) => method.kind === kind && sides.includes(method.side)).toSorted(byWireName);
}

/** Sorts by wire name, in code unit order: the same everywhere. */
export function byWireName(a: Method, b: Method): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
