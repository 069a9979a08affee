import type { ProtocolModel } from "./protocol-model.ts";
import { readModel } from "./read-model.ts";
import { type SchemaDocument, SchemaError } from "./schema-document.ts";

/** A schema and the file it is from, which errors name. */
export interface SchemaFile {
  readonly path: string;
  readonly document: SchemaDocument;
}

/** Reads the model of a schema file. @throws SchemaError naming the file, the definition and the place in it. */
export function readFileModel({ path, document }: SchemaFile): ProtocolModel {
  return inFile(path, () => readModel(document));
}

/** What `read` returns; its SchemaErrors say which file they are about. */
export function inFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof SchemaError)) throw cause;
    throw new SchemaError(`${path}: ${cause.message}`, { cause });
  }
}
