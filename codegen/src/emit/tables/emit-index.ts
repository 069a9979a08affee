import type { ProtocolModel } from "../../model/protocol-model.ts";
import type { Lines } from "../code.ts";

/** Emits the entry of a version: types, decoders, tables and method maps. */
export function emitIndex(model: ProtocolModel, options: { readonly header: Lines }): string {
  const maps = ["AgentMethods", "ClientMethods", "ProtocolMethods"];
  if (model.methods.some((method) => method.side === "proxy")) maps.push("ProxyMethods");
  return `${[
    ...options.header,
    "",
    'export { agentTable } from "./agent.ts";',
    'export { clientTable } from "./client.ts";',
    'export * from "./decoders.ts";',
    `export type { ${maps.join(", ")} } from "./methods.ts";`,
    "/** The same types as received: unions that may be open have a member for unknown variants. */",
    'export type * as Received from "./received.ts";',
    'export type * from "./types.ts";',
  ].join("\n")}\n`;
}
