import { Findings } from "./findings.ts";
import { normalizeDocument } from "./normalize/normalize-document.ts";
import type { ProtocolModel } from "./protocol-model.ts";
import { readModel } from "./read-model.ts";
import { type SchemaDocument, SchemaError } from "./schema-document.ts";

/** A schema and the file it is from, which errors name. */
export interface SchemaFile {
  readonly path: string;
  readonly document: SchemaDocument;
  /** Refuses what JSON Schema permits, but hardly means, such as a keyword that nobody knows. Default: warns of it. */
  readonly strict?: boolean;
}

/** The file with its schema in the form that everything reads. @throws SchemaError naming the file. */
export function normalFile(file: SchemaFile, warn: (warning: string) => void = () => {}): SchemaFile {
  const findings = new Findings(file.strict);
  const document = normalizeDocument(file.document, findings);
  inFile(file.path, () => findings.problems.throwAll());
  for (const warning of findings.warnings) warn(`${file.path}: ${warning}`);
  return { ...file, document };
}

/** Reads the model of a schema file. @throws SchemaError naming the file, the definitions and the places in them. */
export function readFileModel(
  { path, document, strict }: SchemaFile,
  warn: (warning: string) => void = () => {},
): ProtocolModel {
  return inFile(path, () => readModel(document, (warning) => warn(`${path}: ${warning}`), strict));
}

/** What `read` returns; its SchemaErrors say in each line which file they are about. */
export function inFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof SchemaError)) throw cause;
    const lines = cause.message.split("\n").map((line) => `${path}: ${line}`);
    throw new SchemaError(lines.join("\n"), { cause });
  }
}
