import {
  anthropic,
  type Format,
  openAi,
  type Refusal,
  type Reply,
} from "../../../../../packages/ai/test/support/replies.ts";
import { type ModelServer, serveModel } from "../../../../../packages/ai/test/support/model-server.ts";
import type { ConfiguredModel } from "../../model/models.ts";
import { createCoder } from "../create-coder.ts";
import type { CoderOptions } from "../coder-options.ts";
import { type ClientOptions, connect, type TestClient, type TestSession, versions } from "./connect.ts";

export type { Refusal, Reply } from "../../../../../packages/ai/test/support/replies.ts";

/** A format of a model with a version of the protocol. */
export interface Stage {
  readonly name: string;
  readonly format: Format;
  readonly version: 1 | 2;
}

export const stages: readonly Stage[] = [openAi, anthropic].flatMap((format) =>
  versions.map((version) => ({ format, version, name: `${format.name}, version ${version}` })),
);

/** A session with the coder, whose model gives the answers of a list. */
export interface Scene {
  readonly client: TestClient;
  readonly session: TestSession;
  readonly server: ModelServer;
}

export interface SceneOptions extends ClientOptions {
  readonly coder?: Partial<CoderOptions>;
  readonly model?: Partial<ConfiguredModel>;
  /** Further models, on the same server. */
  readonly more?: readonly (Partial<ConfiguredModel> & { readonly id: string })[];
}

/** An answer of a model that calls tools. */
export function calls(...made: readonly (readonly [name: string, input: object])[]): Reply {
  return { calls: made.map(([name, input], index) => ({ id: `call_${index}`, name, args: JSON.stringify(input) })) };
}

export const info = { name: "acp-agent", title: "Agent", version: "1.0.0" };

export async function play(
  { format, version }: Stage,
  replies: readonly (Reply | Refusal)[],
  { coder, model: changes, more = [], ...options }: SceneOptions,
): Promise<Scene> {
  const server = await serveModel(format, replies);
  const model = toConfigured("main", server, changes);
  const agent = createCoder({
    info,
    models: [model, ...more.map((one) => toConfigured(one.id, server, one))],
    ...coder,
  });
  const client = await connect(version, agent, options);
  return { client, session: await client.newSession(), server };
}

export function toConfigured(
  id: string,
  { model }: ModelServer,
  changes: Partial<ConfiguredModel> = {},
): ConfiguredModel {
  return { id, name: id, model, contextSize: 100_000, efforts: [], takesImages: false, ...changes };
}
