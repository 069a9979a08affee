export { emitDecoders, type DecodersOptions } from "./emit/decoders/index.ts";
export { emitReference, emitReferenceIndex, type ReferenceOptions } from "./emit/reference/index.ts";
export {
  emitIndex,
  emitMethods,
  emitRoleTable,
  CheckEmitter,
  type MethodsOptions,
  type RoleTableOptions,
} from "./emit/tables/index.ts";
export { emitTypes, type TypesOptions } from "./emit/types/index.ts";
export { emitValidators, type ValidatorOptions } from "./emit/validators/index.ts";
export {
  type DefinitionExample,
  type Example,
  type ExampleFile,
  type Examples,
  type ExampleSubject,
  matchExamples,
  type MethodExample,
  readExamples,
} from "./examples/index.ts";
export type { Breaks } from "./diff/breaks.ts";
export { diffDocuments, type DiffOptions, type SchemaChange } from "./diff/diff-documents.ts";
export type { ChangePlace } from "./diff/facts.ts";
export { formatChanges } from "./diff/format-changes.ts";
export { changesToMarkdown } from "./diff/markdown.ts";
export { formatDocument, stripProse } from "./import/strip-prose.ts";
export { inferExtensions, type InferredExtensions } from "./infer/infer-extensions.ts";
export { type Recorded, type Recording, readRecording, type Side } from "./infer/recording.ts";
export {
  collectSamples,
  type MetaSamples,
  type MethodSamples,
  type SampleOptions,
  type Samples,
} from "./infer/samples.ts";
export { applyRules } from "./model/apply-rules.ts";
export type * from "./model/protocol-model.ts";
export { readModel } from "./model/read-model.ts";
export { type GateRule, parseRules, type Rules, type VariantRule } from "./model/rules.ts";
export { type JsonSchema, parseSchemaDocument, type SchemaDocument, SchemaError } from "./model/schema-document.ts";
export type { SchemaFile } from "./model/schema-file.ts";
export { generate, type Generated, type GenerateOptions } from "./pipeline/generate.ts";
export { type MergedProse, mergeProse, type ProseOptions } from "./prose/index.ts";
