import type { CapabilityGate, RoleTable } from "@acp/schema";
import { UsageError } from "../errors.ts";
import { isSupported } from "./gates.ts";

type Json = { [key: string]: unknown };

/**
 * The capabilities of a role: what its handlers show, merged with what only a declaration can show.
 *
 * @throws {UsageError} if both contradict each other: three of five handlers behind one capability, a
 * capability without its handler, a handler that is declared unsupported.
 */
export function deriveCapabilities(table: RoleTable, handled: ReadonlySet<string>, declared: object): Json {
  const result = structuredClone(declared) as Json;
  for (const { gate, methods } of gatedMethods(table)) {
    const capability = gate.path.join(".");
    const present = methods.filter((method) => handled.has(method));
    const missing = methods.filter((method) => !handled.has(method));
    const said = declaredValue(declared, gate.path);
    if (gate.when !== undefined) continue;
    if (present.length > 0 && missing.length > 0) {
      throw new UsageError(`The capability ${capability} needs a handler for ${missing.join(", ")} as well`);
    }
    if (present.length === 0 && isSupported(declared, gate.path)) {
      throw new UsageError(
        `The capability ${capability} is declared, but there is no handler for ${methods.join(", ")}`,
      );
    }
    if (present.length > 0 && (said === false || said === null)) {
      throw new UsageError(
        `The capability ${capability} is declared unsupported, but ${present.join(", ")} has a handler`,
      );
    }
    if (present.length > 0 && said === undefined) set(result, gate.path, gate.value === "boolean" ? true : {});
  }
  checkModes(table, handled, declared);
  return result;
}

/** A method whose capability depends on its params (`elicitation/create`) needs at least one of them declared. */
function checkModes(table: RoleTable, handled: ReadonlySet<string>, declared: object): void {
  for (const [method, entry] of Object.entries(table.handles.requests)) {
    const modes = (entry.gates ?? []).filter(
      (gate): gate is CapabilityGate => gate.kind === "capability" && gate.when !== undefined,
    );
    if (modes.length === 0) continue;
    const names = modes.map((gate) => gate.path.join(".")).join(" or ");
    const said = modes.some((gate) => isSupported(declared, gate.path));
    if (handled.has(method) && !said) {
      throw new UsageError(`The handler for ${method} needs ${names} in capabilities`);
    }
    if (!handled.has(method) && said) {
      throw new UsageError(`The capability ${names} is declared, but there is no handler for ${method}`);
    }
  }
}

/** The requests behind each capability of the role's own. */
function gatedMethods(table: RoleTable): { gate: CapabilityGate; methods: string[] }[] {
  const groups = new Map<string, { gate: CapabilityGate; methods: string[] }>();
  for (const [method, entry] of Object.entries(table.handles.requests)) {
    for (const gate of entry.gates ?? []) {
      if (gate.kind !== "capability" || gate.by === "caller") continue;
      const key = gate.path.join(".");
      const group = groups.get(key) ?? { gate, methods: [] };
      group.methods.push(method);
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

function declaredValue(declared: object, path: readonly string[]): unknown {
  let value: unknown = declared;
  for (const part of path) {
    if (typeof value !== "object" || value === null) return value;
    value = (value as Json)[part];
  }
  return value;
}

function set(target: Json, path: readonly string[], value: unknown): void {
  let at = target;
  for (const part of path.slice(0, -1)) {
    const next = at[part];
    at = (typeof next === "object" && next !== null ? next : (at[part] = {})) as Json;
  }
  const last = path.at(-1);
  if (last !== undefined) at[last] = value;
}
