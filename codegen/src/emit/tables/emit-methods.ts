import type { Method, ProtocolModel, Side } from "../../model/protocol-model.ts";
import { block, docComment, indent, type Lines, propertyKey } from "../code.ts";
import { byWireName } from "./methods-of.ts";

/** How {@link emitMethods} writes its module. */
export interface MethodsOptions {
  /** Where `Request` and `Notification` are imported from. */
  readonly runtime: string;
  readonly header: Lines;
}

const maps: readonly { readonly side: Side; readonly name: string; readonly docs: string }[] = [
  { side: "agent", name: "AgentMethods", docs: "The methods that an agent handles and a client calls, by name." },
  { side: "client", name: "ClientMethods", docs: "The methods that a client handles and an agent calls, by name." },
  { side: "protocol", name: "ProtocolMethods", docs: "The methods that both sides handle and call, by name." },
];

/** Emits the types of all methods: maps from wire names to params and results. */
export function emitMethods(model: ProtocolModel, options: MethodsOptions): string {
  const declarations = maps.flatMap(({ side, name, docs }) => {
    const methods = model.methods.filter((method) => method.side === side).toSorted(byWireName);
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
  const names = [...new Set(methods.map((method) => method.name))];
  const entries = names.flatMap((wire) => entry(methods.filter((method) => method.name === wire)));
  return block(`export type ${name} =`, entries).map((line) => (line === "}" ? "};" : line));
}

/** The entry of a wire name; one that is both a request and a notification has the types of either. */
function entry(methods: readonly Method[]): Lines {
  const types = methods.map(({ params, result }) =>
    result === undefined
      ? `Notification<Sent.${params}, Received.${params}>`
      : `Request<Sent.${params}, Sent.${result}, Received.${params}, Received.${result}>`,
  );
  const docs = methods.flatMap((method) => (method.docs === undefined ? [] : [method.docs]));
  const comment = docs.length === 0 ? [] : docComment(docs.join("\n\n"));
  return [...comment, `readonly ${propertyKey(methods[0]!.name)}: ${types.join(" | ")};`];
}

/** Proxies stand between a conductor and its agents; some of their wire names are requests and notifications. */
function proxyLines(methods: readonly Method[]): Lines {
  const part = (name: string, kind: Method["kind"]): Lines => {
    const entries = methods.filter((method) => method.kind === kind).flatMap((method) => entry([method]));
    return entries.length === 0
      ? [`readonly ${name}: Record<never, never>;`]
      : [`readonly ${name}: {`, ...indent(entries), "};"];
  };
  return [
    ...docComment(
      "The methods that a proxy between a client and an agent handles, and that the conductor of the proxy calls.\nRequests and notifications are separate because a name can be both.",
    ),
    "export type ProxyMethods = {",
    ...indent(part("requests", "request")),
    ...indent(part("notifications", "notification")),
    "};",
  ];
}
