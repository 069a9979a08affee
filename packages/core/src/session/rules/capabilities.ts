import { type CapabilityGate, isSupported, type RoleTable } from "@acp/schema";
import { UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/values.ts";

type Json = { [key: string]: unknown };

/** Alternative capabilities. If one is advertised, all of the requests need a handler. */
interface Group {
  readonly gates: readonly CapabilityGate[];
  readonly methods: readonly string[];
}

/**
 * Derives the capabilities of a role from its handlers, and adds the declared ones, which no handler shows.
 *
 * @throws {UsageError} if handlers and declaration contradict each other: three of five handlers behind one capability, a
 * capability without its handler, a handler that is declared unsupported.
 */
export function deriveCapabilities(table: RoleTable, handled: ReadonlySet<string>, declared: object): Json {
  const result = structuredClone(declared) as Json;
  for (const [name, { gates, methods }] of groupGates(table)) {
    const present = methods.filter((method) => handled.has(method));
    const missing = methods.filter((method) => !handled.has(method)).join(", ");
    const isDeclared = gates.some((gate) => isSupported(declared, gate.path));
    if (present.length === 0) {
      if (isDeclared)
        throw new UsageError(`The capability ${name} is declared, but there is no handler for ${missing}`);
    } else if (missing !== "") {
      throw new UsageError(`The capability ${name} needs a handler for ${missing} as well`);
    } else if (gates[0]!.when === undefined) {
      addCapability(result, name, gates[0]!, present);
    } else if (!isDeclared) {
      throw new UsageError(`The handler for ${present.join(", ")} needs ${name} in capabilities`);
    }
  }
  return result;
}

/** Groups by name. A request whose capability depends on its params forms a group of its own. */
function groupGates(table: RoleTable): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const [method, entry] of Object.entries(table.handles.requests)) {
    const gates = (entry.gates ?? []).filter(
      (gate): gate is CapabilityGate => gate.kind === "capability" && gate.by !== "caller",
    );
    const modes = gates.filter((gate) => gate.when !== undefined);
    for (const group of modes.length > 0 ? [modes] : gates.map((gate) => [gate])) {
      const name = group.map((gate) => gate.path.join(".")).join(" or ");
      const { methods } = groups.get(name) ?? { methods: [] };
      groups.set(name, { gates: group, methods: [...methods, method] });
    }
  }
  return groups;
}

/** Adds a capability to `result`, unless it is declared there. */
function addCapability(result: Json, name: string, gate: CapabilityGate, methods: readonly string[]): void {
  const { path, value } = gate;
  let at: unknown = result;
  for (const [index, part] of path.entries()) {
    if (!isObject(at)) break;
    const holder = at as Json;
    if (holder[part] === undefined) holder[part] = index < path.length - 1 || value === "object" ? {} : true;
    at = holder[part];
  }
  if (at === false || at === null) {
    throw new UsageError(`The capability ${name} is declared unsupported, but ${methods.join(", ")} has a handler`);
  }
}
