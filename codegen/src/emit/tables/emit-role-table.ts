import { namesSession } from "../../model/names-session.ts";
import type { Method, ModelGate, ProtocolModel, VariantGate } from "../../model/protocol-model.ts";
import { docComment, indent, type Lines, literal, propertyKey, pure } from "../code.ts";
import type { CheckEmitter } from "./emit-checks.ts";
import { handledBy } from "./methods-of.ts";
import { sentImports, sentShape, SentShapes } from "./sent-shapes.ts";
import { SharedGates } from "./shared-gates.ts";

/** How {@link emitRoleTable} writes its module. */
export interface RoleTableOptions {
  /** Where `RoleTable` is imported from. */
  readonly runtime: string;
  readonly header: Lines;
  /** Collects the functions that check paths and lines. Their module is `./checks.ts`. */
  readonly checks: CheckEmitter;
}

/** Emits the table of one role: what it handles, what it calls, and what gates either. */
export function emitRoleTable(model: ProtocolModel, role: "agent" | "client", options: RoleTableOptions): string {
  const peer = role === "agent" ? "client" : "agent";
  const handled = {
    requests: handledBy(model, role, "request"),
    notifications: handledBy(model, role, "notification"),
  };
  const called = { requests: handledBy(model, peer, "request"), notifications: handledBy(model, peer, "notification") };
  const decoders = [
    ...[...handled.requests, ...handled.notifications].map((method) => method.params),
    ...called.requests.map((method) => method.result!),
  ];
  const { checks } = options;
  const sent = new SentShapes(model, decoders, [
    ...handled.requests.map((method) => method.result!),
    ...[...called.requests, ...called.notifications].map((method) => method.params),
  ]);
  const gates = new SharedGates([
    ...[handled, called]
      .flatMap(({ requests, notifications }) => [...requests, ...notifications])
      .flatMap((method) => method.gates),
    ...model.variantGates.map(({ gate }) => gate),
    ...Object.values(model.setupGates).flat(),
  ]);
  const handles = group("handles", [
    ...record("requests", handled.requests, (method) => handledRequest(model, method, gates, checks, sent)),
    ...record("notifications", handled.notifications, (method) => handledNotification(model, method, gates, checks)),
  ]);
  const calls = group("calls", [
    ...record("requests", called.requests, (method) => calledRequest(model, method, gates, checks, sent)),
    ...record("notifications", called.notifications, (method) => calledNotification(model, method, gates, sent)),
  ]);
  const variants = variantLines(model.variantGates, gates);
  const setup = setupLines(model.setupGates, gates);
  const declarations = [...gates.declarations, ...sent.declarations];
  const types = [...(gates.declarations.length === 0 ? [] : ["type Gate"]), "type RoleTable"];
  const functions = [...gates.functions, ...sentImports([...sent.declarations, ...handles, ...calls])];
  const imports = [...functions, ...types].join(", ");
  return `${[
    ...options.header,
    "",
    `import { ${imports} } from ${JSON.stringify(options.runtime)};`,
    ...importLines(decodersIn([...sent.declarations, ...handles, ...calls])),
    ...checkImport([...handles, ...calls]),
    "",
    ...declarations,
    ...(declarations.length === 0 ? [] : [""]),
    ...docComment(`The methods that ${role === "agent" ? "an agent" : "a client"} handles and calls.`),
    `export const ${role}Table: RoleTable = {`,
    ...indent([
      `protocolVersion: ${model.protocolVersion},`,
      `role: ${JSON.stringify(role)},`,
      ...handles,
      ...calls,
      ...variants,
      ...setup,
    ]),
    "};",
  ].join("\n")}\n`;
}

function importLines(decoders: readonly string[]): Lines {
  if (decoders.length === 0) return [];
  return ["import {", ...decoders.map((name) => `  decode${name},`), '} from "./decoders.ts";'];
}

/** The definitions whose decoders a table names. */
function decodersIn(lines: Lines): readonly string[] {
  const names = lines.flatMap((line) => [...line.matchAll(/\bdecode(\w+)\b(?!")/g)].map(([, name = ""]) => name));
  return [...new Set(names)].toSorted();
}

/** The import of the checks that a table names. */
function checkImport(lines: Lines): Lines {
  const matches = lines.flatMap((line) => [...line.matchAll(/\bcheck(?:Params|Result): (\w+)/g)]);
  const names = new Set(matches.map(([, name = ""]) => name));
  return names.size === 0 ? [] : [`import { ${[...names].toSorted().join(", ")} } from "./checks.ts";`];
}

function group(name: string, entries: Lines): Lines {
  return entries.length === 0 ? [`${propertyKey(name)}: {},`] : [`${propertyKey(name)}: {`, ...indent(entries), "},"];
}

function record(name: string, methods: readonly Method[], write: (method: Method) => string): Lines {
  return group(
    name,
    methods.map((method) => `${propertyKey(method.name)}: ${write(method)},`),
  );
}

function entry(...parts: readonly Lines[]): string {
  const members = parts.flat();
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function handledRequest(
  model: ProtocolModel,
  method: Method,
  gates: SharedGates,
  checks: CheckEmitter,
  sent: SentShapes,
): string {
  return entry(
    [`params: decode${method.params}`],
    sentPart(sent, method, method.result!),
    gateParts(method, gates),
    sessionPart(method),
    method.needsOpenSession ? ["needsOpenSession: true"] : [],
    paramsPart(model, method, checks),
  );
}

function handledNotification(model: ProtocolModel, method: Method, gates: SharedGates, checks: CheckEmitter): string {
  return entry(
    [`params: decode${method.params}`],
    gateParts(method, gates),
    method.unqueued ? ["unqueued: true"] : [],
    paramsPart(model, method, checks),
  );
}

function calledRequest(
  model: ProtocolModel,
  method: Method,
  gates: SharedGates,
  checks: CheckEmitter,
  sent: SentShapes,
): string {
  const { result, resultValues } = method;
  return calledEntry(
    model,
    method,
    sent,
    [`result: decode${result}`],
    gateParts(method, gates),
    sessionPart(method),
    method.endsTurn ? ["endsTurn: true"] : [],
    resultValues === undefined ? [] : [`checkResult: ${checks.name(result!, resultValues, isHot(model, result!))}`],
  );
}

function calledNotification(model: ProtocolModel, method: Method, gates: SharedGates, sent: SentShapes): string {
  return calledEntry(model, method, sent, [], gateParts(method, gates));
}

/** Params that name a session in every case: a session's own calls can leave it out. */
function calledEntry(
  model: ProtocolModel,
  method: Method,
  sent: SentShapes,
  read: Lines,
  ...parts: readonly Lines[]
): string {
  return namesSession(model, method)
    ? pure("inSession", sent.of(method.params)!, entry(read, ...parts))
    : entry(read, sentPart(sent, method, method.params), ...parts);
}

/** What both sides send is written by the library. */
function sentPart(sent: SentShapes, { side }: Method, definition: string): Lines {
  const shape = side === "protocol" ? undefined : sent.of(definition);
  return shape === undefined ? [] : [`sent: ${sentShape(shape)}`];
}

function paramsPart(model: ProtocolModel, method: Method, checks: CheckEmitter): Lines {
  const { params, paramValues, valueVariants } = method;
  if (paramValues === undefined) return [];
  return [`checkParams: ${checks.name(params, paramValues, isHot(model, params), valueVariants)}`];
}

/** Without a list, everything is read often. */
function isHot({ hot }: ProtocolModel, definition: string): boolean {
  return hot?.includes(definition) ?? true;
}

function gateParts(method: Method, gates: SharedGates): Lines {
  return method.gates.length === 0 ? [] : [`gates: ${gates.list(method.gates)}`];
}

function sessionPart({ opensSession, endsSession }: Method): Lines {
  return [
    ...(opensSession === undefined ? [] : [`opensSession: ${literal(opensSession)}`]),
    ...(endsSession ? ["endsSession: true"] : []),
  ];
}

function setupLines(setup: ProtocolModel["setupGates"], gates: SharedGates): Lines {
  const members = Object.entries(setup).map(([member, list]) => `${propertyKey(member)}: ${gates.list(list)},`);
  return members.length === 0 ? [] : group("setup", members);
}

function variantLines(variants: readonly VariantGate[], gates: SharedGates): Lines {
  const unions = new Map<string, Record<string, ModelGate>>();
  for (const { union, tag, gate } of variants) unions.set(union, { ...unions.get(union), [tag]: gate });
  const lines = [...unions].flatMap(([union, byTag]) =>
    group(
      union,
      Object.entries(byTag).map(([tag, gate]) => `${propertyKey(tag)}: ${gates.name(gate)},`),
    ),
  );
  return group("variants", lines);
}
