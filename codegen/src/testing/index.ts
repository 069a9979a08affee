export { anyJson, copyJson, deepFreeze, hostileKeys, isObject, objectFrom } from "./json.ts";
export { messages } from "./messages.ts";
export { mutated } from "./mutations.ts";
export { type Oracle, rawSchemaOracle } from "./raw-schema-oracle.ts";
export { readSchema, type SchemaName, schemaNames } from "./schemas.ts";
