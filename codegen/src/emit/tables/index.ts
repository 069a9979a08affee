export { emitIndex } from "./emit-index.ts";
export { emitMethods } from "./emit-methods.ts";
export { emitRoleTable } from "./emit-role-table.ts";
export { byWireName, handledBy } from "./methods-of.ts";
