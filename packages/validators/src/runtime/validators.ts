import type { Compiled, CompiledValidator } from "./compiled.ts";
import { report, type ValidationError } from "./report.ts";

/** Whether a message fits the schema, and if not, everything that is wrong with it: `ok` narrows it. */
export type Validation =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** Everything that is wrong, at least one error. */
      readonly errors: readonly ValidationError[];
    };

/** Checks messages of one version of the protocol against its schema. None of the functions throws on any message. */
export interface Validators<Definition extends string, Request extends string, Notification extends string> {
  /** Checks any value against a definition of the schema. */
  readonly validate: (definition: Definition, value: unknown) => Validation;
  /** Checks the `params` of a request. */
  readonly validateRequest: (method: Request, params: unknown) => Validation;
  /** Checks the `result` of the answer to a request. */
  readonly validateResult: (method: Request, result: unknown) => Validation;
  /** Checks the `params` of a notification. */
  readonly validateNotification: (method: Notification, params: unknown) => Validation;
}

const valid: Validation = { ok: true };

/** Wraps the compiled functions for users. */
export function createValidators<Definition extends string, Request extends string, Notification extends string>(
  compiled: Compiled<Definition, Request, Notification>,
): Validators<Definition, Request, Notification> {
  const validate = (definition: Definition, value: unknown): Validation =>
    run(lookUp(compiled?.definitions, definition, "definition"), value);
  return {
    validate,
    validateRequest: (method, params) => validate(lookUp(compiled?.requests, method, "request"), params),
    validateResult: (method, result) => validate(lookUp(compiled?.results, method, "request"), result),
    validateNotification: (method, params) => validate(lookUp(compiled?.notifications, method, "notification"), params),
  };
}

function run(validator: CompiledValidator, value: unknown): Validation {
  try {
    if (validator(value)) return valid;
  } catch {
    // Recursive definitions are checked by recursive functions, until the stack is full.
    return { ok: false, errors: [{ path: "", reason: "is nested too deep" }] };
  }
  const errors = report(validator.errors ?? [], value);
  // The validator keeps its errors until its next run, and with them parts of the message.
  validator.errors = null;
  return { ok: false, errors };
}

/** JavaScript can pass a name that the types do not allow: report that, rather than return "valid". */
function lookUp<T>(table: Readonly<Record<string, T>> | undefined, name: string, kind: string): T {
  const found = Object.hasOwn(table ?? {}, name) ? table?.[name] : undefined;
  if (found === undefined) throw new RangeError(`This version of the protocol has no ${kind} ${JSON.stringify(name)}`);
  return found;
}
