import { Place } from "../../model/place.ts";
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

/** A side whose methods share one map cannot have a request and a notification of one name. */
export function assertDistinct(methods: readonly Method[]): void {
  const names = methods.map((method) => method.name);
  const second = methods.find(({ name }, index) => names.indexOf(name) !== index);
  if (second !== undefined) {
    const reason = `the method ${second.name} is both a request and a notification of one side`;
    throw new Place(second.params).unsupported(reason);
  }
}
