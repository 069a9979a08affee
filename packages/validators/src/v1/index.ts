import { compile, type DefinitionName, type NotificationMethod, type RequestMethod } from "../generated/v1.js";
import { createValidators, runtime, type Validation, type Validators } from "../runtime/index.ts";

export type { DefinitionName, NotificationMethod, RequestMethod } from "../generated/v1.js";
export type { Validation, ValidationError } from "../runtime/index.ts";

const compiled = compile(runtime);
const validators: Validators<DefinitionName, RequestMethod, NotificationMethod> = createValidators(compiled);

/** The names of all definitions of ACP v1. */
export const definitionNames: readonly DefinitionName[] = compiled.names;

/**
 * Checks a value against one definition of ACP v1.
 *
 * ```ts
 * const checked = validate("ContentBlock", { type: "text" });
 * if (!checked.ok) console.error(checked.errors); // [{ path: "/text", reason: "is required" }]
 * ```
 *
 * @throws RangeError for a definition that does not exist.
 */
export const validate: (definition: DefinitionName, value: unknown) => Validation = validators.validate;

/**
 * Checks the `params` of a request of ACP v1, whichever side sends it.
 *
 * @throws RangeError for a method that is no request.
 */
export const validateRequest: (method: RequestMethod, params: unknown) => Validation = validators.validateRequest;

/**
 * Checks the `result` that answers a request of ACP v1.
 *
 * @throws RangeError for a method that is no request.
 */
export const validateResult: (method: RequestMethod, result: unknown) => Validation = validators.validateResult;

/**
 * Checks the `params` of a notification of ACP v1.
 *
 * @throws RangeError for a method that is no notification.
 */
export const validateNotification: (method: NotificationMethod, params: unknown) => Validation =
  validators.validateNotification;
