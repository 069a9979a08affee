import type { Method, ModelGate, ProtocolModel, VariantGate } from "../../model/protocol-model.ts";
import type { ValueTree } from "../../model/value-rules.ts";
import { docComment, indent, type Lines, literal, propertyKey } from "../code.ts";
import { assertDistinct, handledBy } from "./methods-of.ts";

/** How {@link emitRoleTable} writes its module. */
export interface RoleTableOptions {
  /** Where `RoleTable` is imported from. */
  readonly runtime: string;
  readonly header: Lines;
}

/** Emits the table of one role: what it handles, what it calls, and what gates either. */
export function emitRoleTable(model: ProtocolModel, role: "agent" | "client", options: RoleTableOptions): string {
  const peer = role === "agent" ? "client" : "agent";
  const handled = {
    requests: handledBy(model, role, "request"),
    notifications: handledBy(model, role, "notification"),
  };
  const called = { requests: handledBy(model, peer, "request"), notifications: handledBy(model, peer, "notification") };
  for (const { requests, notifications } of [handled, called]) assertDistinct([...requests, ...notifications]);
  const decoders = [
    ...[...handled.requests, ...handled.notifications].map((method) => method.params),
    ...called.requests.map((method) => method.result!),
  ];
  const values = new SharedValues();
  const handles = group("handles", [
    ...record("requests", handled.requests, (method) => handledRequest(method, values)),
    ...record("notifications", handled.notifications, (method) => handledNotification(method, values)),
  ]);
  const calls = group("calls", [
    ...record("requests", called.requests, (method) => calledRequest(model, method, values)),
    ...record("notifications", called.notifications, (method) => calledNotification(model, method, values)),
  ]);
  const types = values.declarations.length === 0 ? "RoleTable" : "RoleTable, ValueRule";
  return `${[
    ...options.header,
    "",
    `import type { ${types} } from ${JSON.stringify(options.runtime)};`,
    ...importLines([...new Set(decoders)].toSorted()),
    "",
    ...values.declarations,
    ...docComment(`What ${role === "agent" ? "an agent" : "a client"} handles and calls.`),
    `export const ${role}Table: RoleTable = {`,
    ...indent([
      `protocolVersion: ${model.protocolVersion},`,
      `role: ${JSON.stringify(role)},`,
      ...handles,
      ...calls,
      ...variantLines(model.variantGates),
      ...setupLines(model.setupGates),
    ]),
    "};",
  ].join("\n")}\n`;
}

function importLines(decoders: readonly string[]): Lines {
  if (decoders.length === 0) return [];
  return ["import {", ...decoders.map((name) => `  decode${name},`), '} from "./decoders.ts";'];
}

function group(name: string, entries: Lines): Lines {
  return entries.length === 0 ? [`${propertyKey(name)}: {},`] : [`${propertyKey(name)}: {`, ...indent(entries), "},"];
}

function record(name: string, methods: readonly Method[], write: (method: Method) => Lines): Lines {
  return group(
    name,
    methods.map((method) => {
      const parts = write(method);
      return `${propertyKey(method.name)}: ${parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`},`;
    }),
  );
}

function handledRequest(method: Method, values: SharedValues): Lines {
  return [
    `params: decode${method.params}`,
    ...gateParts(method),
    ...sessionPart(method),
    ...valueParts(method, values),
  ];
}

function handledNotification(method: Method, values: SharedValues): Lines {
  const unqueued = method.unqueued ? ["unqueued: true"] : [];
  return [`params: decode${method.params}`, ...gateParts(method), ...unqueued, ...valueParts(method, values)];
}

function calledRequest(model: ProtocolModel, method: Method, values: SharedValues): Lines {
  const ends = method.endsTurn ? ["endsTurn: true"] : [];
  return [
    `result: decode${method.result}`,
    ...gateParts(method),
    ...sessionPart(method),
    ...scopePart(model, method),
    ...ends,
    ...valueParts(method, values),
  ];
}

function calledNotification(model: ProtocolModel, method: Method, values: SharedValues): Lines {
  return [...gateParts(method), ...scopePart(model, method), ...valueParts(method, values)];
}

function valueParts({ paramValues, valueVariants, resultValues }: Method, values: SharedValues): Lines {
  return [
    ...(paramValues === undefined ? [] : [`paramValues: ${values.name(paramValues)}`]),
    ...(valueVariants === undefined ? [] : [`valueVariants: ${literal(valueVariants)}`]),
    ...(resultValues === undefined ? [] : [`resultValues: ${values.name(resultValues)}`]),
  ];
}

/** The value rules of a table, each written once: the requests that open a session share theirs. */
class SharedValues {
  readonly #names = new Map<string, string>();

  name(tree: ValueTree): string {
    const text = literal(tree);
    const name = this.#names.get(text) ?? `values${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }

  get declarations(): Lines {
    const lines = [...this.#names].map(([text, name]) => `const ${name}: ValueRule = ${text};`);
    return lines.length === 0 ? [] : [...lines, ""];
  }
}

/** Params that name a session in every case, so that a session's own calls can leave it out. */
function scopePart(model: ProtocolModel, { params }: Method): Lines {
  const shape = model.definitions.get(params)?.shape;
  const isScoped =
    shape?.kind === "object" && shape.members.some(({ name, required }) => name === "sessionId" && required);
  return isScoped ? ["sessionScoped: true"] : [];
}

function gateParts({ gates }: Method): Lines {
  return gates.length === 0 ? [] : [`gates: ${literal(gates)}`];
}

function sessionPart({ opensSession }: Method): Lines {
  return opensSession === undefined ? [] : [`opensSession: ${literal(opensSession)}`];
}

function setupLines(gates: ProtocolModel["setupGates"]): Lines {
  const members = Object.entries(gates).map(([member, list]) => `${propertyKey(member)}: ${literal(list)},`);
  return members.length === 0 ? [] : group("setup", members);
}

function variantLines(gates: readonly VariantGate[]): Lines {
  const unions = new Map<string, Record<string, ModelGate>>();
  for (const { union, tag, gate } of gates) unions.set(union, { ...unions.get(union), [tag]: gate });
  const lines = [...unions].flatMap(([union, byTag]) =>
    group(
      union,
      Object.entries(byTag).map(([tag, gate]) => `${propertyKey(tag)}: ${literal(gate)},`),
    ),
  );
  return group("variants", lines);
}
