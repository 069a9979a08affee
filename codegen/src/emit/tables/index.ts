export { emitHandlers } from "./emit-handlers.ts";
export { emitIndex } from "./emit-index.ts";
export { emitSessionMethods } from "./emit-session-methods.ts";
export { emitMethods, type MethodsOptions } from "./emit-methods.ts";
export { CheckEmitter } from "./emit-checks.ts";
export { emitRoleTable, type RoleTableOptions } from "./emit-role-table.ts";
