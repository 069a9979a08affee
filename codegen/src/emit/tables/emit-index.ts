import type { ProtocolModel } from "../../model/protocol-model.ts";
import type { Lines } from "../code.ts";

/** Emits the entry of a version: types, decoders, and the tables and method maps of its methods. */
export function emitIndex(model: ProtocolModel, options: { readonly header: Lines }): string {
  const maps = ["AgentMethods", "ClientMethods", "ProtocolMethods"];
  const hasTables = model.methods.length > 0;
  if (model.methods.some((method) => method.side === "proxy")) maps.push("ProxyMethods");
  return `${[
    ...options.header,
    "",
    ...(hasTables ? ['export { agentTable } from "./agent.ts";', 'export { clientTable } from "./client.ts";'] : []),
    'export * from "./decoders.ts";',
    ...(hasTables ? [`export type { ${maps.join(", ")} } from "./methods.ts";`] : []),
    "/** The same types as received: open unions have a member for unknown variants. */",
    'export type * as Received from "./received.ts";',
    'export type * from "./types.ts";',
  ].join("\n")}\n`;
}
