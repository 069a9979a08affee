import type { AgentDefinition, ClientConnector } from "@acp/core";
import * as v1 from "@acp/core";
import * as v1Unstable from "@acp/core/unstable";
import * as v2 from "@acp/core/v2";
import * as v2Unstable from "@acp/core/v2/unstable";
import type { RoleTable } from "@acp/schema";
import * as v1Schema from "@acp/schema/v1";
import * as v1UnstableSchema from "@acp/schema/v1/unstable";
import * as v2Schema from "@acp/schema/v2";
import * as v2UnstableSchema from "@acp/schema/v2/unstable";
import { readdirSync, readFileSync } from "node:fs";

const schemas = new URL("../../../../../schema/", import.meta.url);

/** What a message holds, for scenarios that get theirs from data. */
export type Json = { readonly [member: string]: unknown };

/** A peer whose methods are not known to the compiler. */
export interface AnyPeer {
  request(method: string, params?: unknown): Promise<unknown>;
  notify(method: string, params?: unknown): Promise<void>;
}

/** What a handler gets, as far as scenarios of all editions use it. */
export interface AnyContext {
  readonly client: AnyPeer;
  readonly agent: AnyPeer;
}

/** Options of an agent or a client of any edition. */
export interface AnyOptions {
  readonly info: { readonly name: string; readonly version: string };
  readonly capabilities?: object;
  readonly authMethods?: readonly object[];
  readonly gate?: "enforce" | "diagnose";
  readonly handlers: { readonly [method: string]: (params: Json, context: AnyContext) => unknown };
}

/** One version of the protocol, stable or with its unstable part. */
export interface Edition {
  readonly name: "v1" | "v1-unstable" | "v2" | "v2-unstable";
  readonly version: 1 | 2;
  readonly agentTable: RoleTable;
  readonly clientTable: RoleTable;
  readonly createAgent: (options: AnyOptions) => AgentDefinition;
  readonly createClient: (options: AnyOptions) => ClientConnector<AnyPeer & { close(): Promise<void> }>;
  /** Its schema, and the examples of its version. */
  readonly schema: Json;
  readonly examples: readonly Example[];
}

/** An example of the protocol's reference. */
export interface Example {
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly definition?: string;
  readonly value?: Json;
}

interface Entry {
  readonly createAgent: unknown;
  readonly createClient: unknown;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, schemas), "utf8"));
}

function editionOf(
  name: Edition["name"],
  { createAgent, createClient }: Entry,
  { agentTable, clientTable }: Pick<Edition, "agentTable" | "clientTable">,
): Edition {
  const folder = name.slice(0, 2);
  const files = readdirSync(new URL(`${folder}/examples`, schemas)).toSorted();
  return {
    name,
    version: folder === "v1" ? 1 : 2,
    agentTable,
    clientTable,
    // What goes in comes from data: there is no type for it.
    createAgent: createAgent as Edition["createAgent"],
    createClient: createClient as Edition["createClient"],
    schema: readJson(`${folder}/${name.endsWith("unstable") ? "schema.unstable.json" : "schema.json"}`) as Json,
    examples: files.flatMap((file) => readJson(`${folder}/examples/${file}`) as readonly Example[]),
  };
}

/** All that there are. */
export const editions: readonly Edition[] = [
  editionOf("v1", v1, v1Schema),
  editionOf("v1-unstable", v1Unstable, v1UnstableSchema),
  editionOf("v2", v2, v2Schema),
  editionOf("v2-unstable", v2Unstable, v2UnstableSchema),
];

/** The tags of a union in the schema: `tagsOf(edition, "SessionUpdate", "sessionUpdate")`. */
export function tagsOf({ schema }: Edition, definition: string, member: string): readonly string[] {
  const { $defs } = schema as { readonly $defs: Readonly<Record<string, Union | undefined>> };
  const { oneOf, anyOf } = $defs[definition] ?? {};
  return (oneOf ?? anyOf ?? []).flatMap((variant) => variant.properties?.[member]?.const ?? variant.const ?? []);
}

interface Union {
  readonly oneOf?: readonly Variant[];
  readonly anyOf?: readonly Variant[];
}

interface Variant {
  readonly const?: string;
  readonly properties?: Readonly<Record<string, { readonly const?: string } | undefined>>;
}

/** The requests and notifications that a side sends. */
export function sentBy(edition: Edition, side: "agent" | "client"): RoleTable["calls"] {
  return side === "agent" ? edition.agentTable.calls : edition.clientTable.calls;
}
