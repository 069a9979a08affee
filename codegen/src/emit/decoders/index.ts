import type { Definition, ProtocolModel, Shape } from "../../model/protocol-model.ts";
import { block, docComment, type Lines } from "../code.ts";
import { DecoderModule } from "./decoder-module.ts";
import { describe, type Description } from "./describe.ts";
import { shapeBody } from "./shape-body.ts";
import { SharedMembers } from "./shared-members.ts";

/** How {@link emitDecoders} writes its module. */
export interface DecodersOptions {
  /** Where the generated module imports what decoders are made of from: `@acp/schema`, or a path relative to it. */
  readonly runtime: string;
  /** The generated module of received types, relative to this one. */
  readonly received: string;
  /** Lines that open the file. */
  readonly header: Lines;
}

/** A definition's decoder, written out as a function, described, or the one of a definition that says the same; or a described part. */
type Written =
  | { readonly name: string; readonly body: Lines }
  | { readonly name: string; readonly description: Description }
  | { readonly name: string; readonly twin: string }
  | { readonly part: string; readonly description: Description };

/**
 * Emits one `decodeX` for each definition `X`, typed with the received types.
 *
 * Definitions that are read often are functions, written out. The others are described: a fraction of the size, and
 * read by functions that all of them share. Neither has state, so that bundlers keep only what is used. Deterministic.
 */
export function emitDecoders(model: ProtocolModel, options: DecodersOptions): string {
  const written: Written[] = [];
  const begun = new Set<string>();
  const define = (name: string): void => {
    if (begun.has(name)) return;
    begun.add(name);
    // Written when it is complete: what a description is made of stands before it.
    const next = write(model.definitions.get(name)!, module);
    written.push(next);
  };
  const describePart = (shape: Shape, hint: string): string | undefined => {
    const description = describe(shape, module, hint);
    if (description === undefined) return undefined;
    const part = module.unique(`read${hint}`);
    written.push({ part, description });
    return part;
  };
  const module = new DecoderModule(model, define, describePart);
  for (const name of model.definitions.keys()) define(name);
  const descriptions = written.flatMap((one) => ("description" in one ? [one.description] : []));
  const shared = new SharedMembers(descriptions, (name) => module.unique(name));
  const decoders = written.flatMap((one) => decoderLines(one, model, module, shared));
  const types = new Set(["Decoder", "Fields", "Notes"]);
  // What was asked for may have been written in other words.
  const code = [...decoders, ...module.functions].join("\n");
  const used = module.uses.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  if (code.includes("notes: Notes")) used.push("Notes");
  const imports = used.map((name) => (types.has(name) ? `type ${name}` : name));
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

function write({ name, shape }: Definition, module: DecoderModule): Written {
  const { recursive, remembered } = module.graph;
  if (recursive.has(name)) return { name, body: recursiveBody(name, shape, module) };
  if (remembered.has(name)) return { name, body: [`return ${readOnce(name, shape, module)} as never;`] };
  const description = module.isHot(name) ? undefined : describe(shape, module, name, name);
  if (description !== undefined) {
    const text = JSON.stringify([description.expression, ...(description.members ?? [])]);
    const twin = module.twinOf(name, text);
    return twin === undefined ? { name, description } : { name, twin };
  }
  const body = shapeBody(shape, module, name, name);
  const twin = body.length > 1 ? module.twinOf(name, body.join("\n")) : undefined;
  return twin === undefined ? { name, body } : { name, twin };
}

function decoderLines(one: Written, model: ProtocolModel, module: DecoderModule, shared: SharedMembers): Lines {
  if ("part" in one) return described(`const ${one.part} =`, [], one.description, shared);
  const { name } = one;
  const comment = docComment(`Decodes a received \`${name}\`.`);
  if ("body" in one) {
    const notes = model.definitions.get(name)?.shape.kind === "any" ? "_notes" : "notes";
    const result = `Received.${name} | typeof ${module.use("invalid")}`;
    const head = `export function decode${name}(value: unknown, ${notes}: Notes): ${result}`;
    return ["", ...comment, ...block(head, one.body)];
  }
  const head = `export const decode${name}: ${module.use("Decoder")}<Received.${name}> =`;
  if ("twin" in one) return ["", ...comment, `${head} decode${one.twin} as never;`];
  return described(head, comment, one.description, shared);
}

function described(head: string, comment: Lines, description: Description, shared: SharedMembers): Lines {
  const { declarations, expression } = shared.expressionOf(description);
  const [first, ...more] = expression;
  const space = declarations.length === 0 ? [] : ["", ...declarations];
  return [...space, "", ...comment, `${head} ${first}`, ...more];
}

/** Input decides how deep these nest: beyond a limit they refuse, before the stack overflows. */
function recursiveBody(name: string, shape: Shape, module: DecoderModule): Lines {
  return [
    `if (notes.depth === ${module.use("maxDepth")}) return notes.fail("is nested too deep");`,
    "notes.depth++;",
    `const decoded = ${readOnce(name, shape, module)};`,
    "notes.depth--;",
    "return decoded as never;",
  ];
}

/** Reads a value; where unions above and inside try branches that lead here, what came of it is remembered. */
function readOnce(name: string, shape: Shape, module: DecoderModule): string {
  const inner = module.privateFunction(`inner ${name}`, `read${name}`, (unique) =>
    block(`function ${unique}(value: unknown, notes: Notes): unknown`, shapeBody(shape, module, name, name)),
  );
  if (!module.graph.remembered.has(name)) return `${inner}(value, notes)`;
  return `${module.use("remember")}(${inner}, value, notes)`;
}
