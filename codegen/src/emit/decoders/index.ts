import type { Definition, ProtocolModel, Shape } from "../../model/protocol-model.ts";
import { block, docComment, type Lines } from "../code.ts";
import { DecoderModule } from "./decoder-module.ts";
import { shapeBody } from "./shape-body.ts";

/** How {@link emitDecoders} writes its module. */
export interface DecodersOptions {
  /** Where the generated module imports what decoders are made of from: `@acp/schema`, or a path relative to it. */
  readonly runtime: string;
  /** The generated module of received types, relative to this one. */
  readonly received: string;
  /** Lines that open the file. */
  readonly header: Lines;
}

/**
 * Emits one `decodeX` for each definition `X`, typed with the received types.
 *
 * Each is a function of its own without state, so that bundlers keep only what is used. Deterministic.
 */
export function emitDecoders(model: ProtocolModel, options: DecodersOptions): string {
  const module = new DecoderModule(model);
  module.use("invalid");
  const twins = new Map<string, string>();
  const decoders = [...model.definitions.values()].flatMap((definition) => [
    "",
    ...decoderLines(definition, module, twins),
  ]);
  const types = new Set(["Decoder", "Fields"]);
  const imports = [...module.uses.map((name) => (types.has(name) ? `type ${name}` : name)), "type Notes"];
  return `${[
    ...options.header,
    "",
    "import {",
    ...imports.map((name) => `  ${name},`),
    `} from ${JSON.stringify(options.runtime)};`,
    `import type * as Received from ${JSON.stringify(options.received)};`,
    ...decoders,
    ...module.functions,
  ].join("\n")}\n`;
}

function decoderLines({ name, shape }: Definition, module: DecoderModule, twins: Map<string, string>): Lines {
  const comment = docComment(`Decodes a received \`${name}\`.`);
  const notes = shape.kind === "any" ? "_notes" : "notes";
  const head = `export function decode${name}(value: unknown, ${notes}: Notes): Received.${name} | typeof invalid`;
  if (module.recursive.has(name)) return [...comment, ...block(head, recursiveBody(name, shape, module))];
  const body = shapeBody(shape, module, name, name);
  // Definitions that say the same are decoded by the same function.
  const twin = twins.get(body.join("\n"));
  if (twin !== undefined && body.length > 1) {
    module.use("Decoder");
    return [...comment, `export const decode${name}: Decoder<Received.${name}> = decode${twin} as never;`];
  }
  twins.set(body.join("\n"), name);
  return [...comment, ...block(head, body)];
}

/** Input decides how deep these nest: beyond a limit they refuse, before the stack overflows. */
function recursiveBody(name: string, shape: Shape, module: DecoderModule): Lines {
  const inner = module.privateFunction(`inner ${name}`, `read${name}`, (unique) =>
    block(`function ${unique}(value: unknown, notes: Notes): unknown`, shapeBody(shape, module, name, name)),
  );
  return [
    `if (notes.depth === ${module.use("maxDepth")}) return notes.fail("is nested too deep");`,
    "notes.depth++;",
    `const decoded = ${inner}(value, notes);`,
    "notes.depth--;",
    "return decoded as never;",
  ];
}
