import { codePoints } from "./code-points.ts";
import type { Runtime } from "./compiled.ts";
import { formats } from "./formats.ts";

export type { Compiled, CompiledError, CompiledValidator, Runtime } from "./compiled.ts";
export type { ValidationError } from "./report.ts";
export { createValidators, type Validation, type Validators } from "./validators.ts";

/**
 * The dependencies of the compiled functions: the checks of all formats that schemas may have, and how to count
 * characters.
 */
export const runtime: Runtime = { codePoints, formats };
