import type { CapabilityGate, Gate } from "./protocol.ts";
import { valueAt } from "./value-at.ts";

/** Whether capabilities say yes at a path: `true`, or an object (INIT-12). */
export function isSupported(capabilities: unknown, path: readonly string[]): boolean {
  const value = valueAt(capabilities, path);
  return value === true || Object(value) === value;
}

/** Whether a capability gate is open, given what both sides advertised. */
export function isGateOpen(gate: CapabilityGate, own: unknown, peer: unknown): boolean {
  return isSupported(gate?.by === "caller" ? own : peer, gate?.path);
}

/** Whether a gate has something to say about these params. */
export function concerns(gate: Gate, params: unknown): boolean {
  if (gate?.kind !== "capability" || gate.when === undefined) return true;
  return valueAt(params, [gate.when.member]) === gate.when.value;
}

/**
 * What is wrong with something that its receiver did not advertise to take, as far as its gates have something to say about
 * `params`; `undefined` for what it did.
 */
export function unadvertised(
  gates: readonly Gate[] | undefined,
  capabilities: object,
  params?: unknown,
): string | undefined {
  const closed = Array.from(gates ?? []).find(
    (gate) => gate.kind === "capability" && concerns(gate, params) && !isSupported(capabilities, gate.path),
  );
  return closed && `is not supported: ${describeGate(closed)} is not advertised`;
}

/** What a gate asks for, as one reads it in the schema: `sessionCapabilities.list`. */
export function describeGate(gate: Gate): string {
  if (gate?.kind === "capability") return gate.path.join(".");
  return gate?.kind === "session"
    ? `${gate.member} in the session's setup answer`
    : `a login method${gate?.type === undefined ? "" : ` of type ${gate.type}`}`;
}
