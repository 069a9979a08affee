import type { Method, ProtocolModel, Side } from "../../model/protocol-model.ts";
import { block, docComment, indent, type Lines, propertyKey } from "../code.ts";
import { assertDistinct, byWireName } from "./methods-of.ts";

/** How {@link emitMethods} writes its module. */
export interface MethodsOptions {
  /** Where `Request` and `Notification` are imported from. */
  readonly runtime: string;
  readonly header: Lines;
}

const maps: readonly { readonly side: Side; readonly name: string; readonly docs: string }[] = [
  { side: "agent", name: "AgentMethods", docs: "What an agent handles and a client calls, by wire method name." },
  { side: "client", name: "ClientMethods", docs: "What a client handles and an agent calls, by wire method name." },
  { side: "protocol", name: "ProtocolMethods", docs: "What both sides handle and call, by wire method name." },
];

/** Emits the types of all methods: maps from wire names to params and results. */
export function emitMethods(model: ProtocolModel, options: MethodsOptions): string {
  const declarations = maps.flatMap(({ side, name, docs }) => {
    const methods = model.methods.filter((method) => method.side === side).toSorted(byWireName);
    assertDistinct(methods);
    return ["", ...docComment(docs), ...typeOf(name, methods)];
  });
  const proxied = model.methods.filter((method) => method.side === "proxy").toSorted(byWireName);
  if (proxied.length > 0) declarations.push("", ...proxyLines(proxied));
  const text = declarations.join("\n");
  const kinds = ["Notification", "Request"].filter((kind) => text.includes(`${kind}<`));
  const imports = [
    ...(kinds.length > 0 ? [`import type { ${kinds.join(", ")} } from ${JSON.stringify(options.runtime)};`] : []),
    ...(text.includes("Received.") ? ['import type * as Received from "./received.ts";'] : []),
    ...(text.includes("Sent.") ? ['import type * as Sent from "./types.ts";'] : []),
  ];
  return `${[...options.header, "", ...imports, ...declarations].join("\n")}\n`;
}

function typeOf(name: string, methods: readonly Method[]): Lines {
  if (methods.length === 0) return [`export type ${name} = Record<never, never>;`];
  return block(`export type ${name} =`, methods.flatMap(entry)).map((line) => (line === "}" ? "};" : line));
}

function entry(method: Method): Lines {
  const { params, result } = method;
  const types =
    result === undefined
      ? `Notification<Sent.${params}, Received.${params}>`
      : `Request<Sent.${params}, Sent.${result}, Received.${params}, Received.${result}>`;
  const docs = method.docs === undefined ? [] : docComment(method.docs);
  return [...docs, `readonly ${propertyKey(method.name)}: ${types};`];
}

/** Proxies stand between a conductor and its agents; some of their wire names are requests and notifications. */
function proxyLines(methods: readonly Method[]): Lines {
  const part = (name: string, kind: Method["kind"]): Lines => {
    const entries = methods.filter((method) => method.kind === kind).flatMap(entry);
    return entries.length === 0
      ? [`readonly ${name}: Record<never, never>;`]
      : [`readonly ${name}: {`, ...indent(entries), "};"];
  };
  return [
    ...docComment(
      "What a proxy between a client and an agent handles, and the conductor that runs it calls. Requests and\nnotifications apart: a wire name can be both.",
    ),
    "export type ProxyMethods = {",
    ...indent(part("requests", "request")),
    ...indent(part("notifications", "notification")),
    "};",
  ];
}
