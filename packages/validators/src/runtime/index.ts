import { codePoints } from "./code-points.ts";
import type { Runtime } from "./compiled.ts";
import { formats } from "./formats.ts";

export type { ValidationError } from "./report.ts";
export { createValidators, type Validation, type Validators } from "./validators.ts";

/** What the compiled functions are given. */
export const runtime: Runtime = { codePoints, formats };
