export { codePoints } from "./code-points.ts";
export type { Compiled, CompiledError, CompiledValidator } from "./compiled.ts";
export { formats } from "./formats.ts";
export type { ValidationError } from "./report.ts";
export { createValidators, type Validation, type Validators } from "./validators.ts";
