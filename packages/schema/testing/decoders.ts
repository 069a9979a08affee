import type { DecodedMessage, SchemaName } from "@acp/codegen/testing";
import { decode, type Decoder } from "../src/decoding/index.ts";
import * as v1 from "../src/v1/decoders.ts";
import * as v1Unstable from "../src/v1/unstable/decoders.ts";
import * as v2 from "../src/v2/decoders.ts";
import * as v2Unstable from "../src/v2/unstable/decoders.ts";

const modules: Readonly<Record<SchemaName, Readonly<Record<string, Decoder<unknown>>>>> = {
  v1,
  "v1/unstable": v1Unstable,
  v2,
  "v2/unstable": v2Unstable,
};

/** Runs the decoder of a definition, by name. */
export function decodeAs(name: SchemaName, definition: string, message: unknown): DecodedMessage {
  const decoder = modules[name][`decode${definition}`];
  if (decoder === undefined) throw new Error(`${name} has no decoder for ${definition}`);
  return decode(decoder, message);
}

/** The definitions that have a decoder. */
export function decodedDefinitions(name: SchemaName): readonly string[] {
  return Object.keys(modules[name]).map((decoder) => decoder.replace(/^decode/, ""));
}
