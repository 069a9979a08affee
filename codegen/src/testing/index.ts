export { type DecodedMessage, disagreement } from "./agreement.ts";
export { type Hint, type HintedMember, hintedMembers } from "./hints.ts";
export { copyJson, deepFreeze, hostileKeys, isObject, objectFrom, setMember } from "./json.ts";
export { messages } from "./messages.ts";
export { mutated } from "./mutations.ts";
export { type Oracle, rawSchemaOracle } from "./raw-schema-oracle.ts";
export { type Note, type Reading, unknownVariant } from "./reading.ts";
export { referenceReader } from "./reference-reader.ts";
export { openUnions, readSchema, type SchemaName, schemaNames } from "./schemas.ts";
