import { isAbsolutePath } from "@acp/core";
import type { Compiled, CompiledValidator, Runtime } from "../runtime/compiled.ts";
import { runtime } from "../runtime/index.ts";
import { report, type ValidationError } from "../runtime/report.ts";

/** What is wrong with a message; empty if nothing is. */
export type Violations = readonly ValidationError[];

/** Checks the messages of one version of the protocol against its schema and its further rules. */
export interface MessageChecks {
  /** Whether there is such a method, and whether its messages have an id. */
  method(method: string, isRequest: boolean): Violations;
  /** Checks the `params` of a request. */
  request(method: string, params: unknown): Violations;
  /** Checks the `result` of its answer. */
  result(method: string, result: unknown): Violations;
  /** Checks the `params` of a notification. */
  notification(method: string, params: unknown): Violations;
}

/** The dependencies of the compiled functions of a strict module. */
const strictRuntime: Runtime = {
  ...runtime,
  formats: {
    ...runtime.formats,
    "absolute-path": { validate: isAbsolutePath },
    base64: { validate: isBase64 },
    "extension-name": { validate: (name: string) => name.startsWith("_") },
  },
};

/** Creates the checks of a module that was compiled with closed types. Unknown methods pass: they are extensions. */
export function createMessageChecks(compile: (runtime: Runtime) => Compiled): MessageChecks {
  const { definitions, requests, results, notifications } = compile(strictRuntime);
  const check = (names: Readonly<Record<string, string>>, method: string, value: unknown): Violations => {
    const name = Object.hasOwn(names, method) ? names[method] : undefined;
    const validator = name === undefined ? undefined : definitions[name];
    return validator === undefined ? [] : violations(validator, value);
  };
  return {
    method: (method, isRequest) => {
      if (method.startsWith("_") || Object.hasOwn(isRequest ? requests : notifications, method)) return [];
      if (Object.hasOwn(requests, method)) return [{ path: "/id", reason: "is required in a request" }];
      if (Object.hasOwn(notifications, method)) return [{ path: "/id", reason: "is no member of a notification" }];
      return [{ path: "/method", reason: "is none of the protocol, and an extension's begins with _ (EXT-06)" }];
    },
    request: (method, params) => check(requests, method, params),
    result: (method, result) => check(results, method, result),
    notification: (method, params) => check(notifications, method, params),
  };
}

/** The errors for unnamed members, and for an `if` whose branch failed for its own reason. */
const surplus: ReadonlySet<string> = new Set(["additionalProperties", "unevaluatedProperties", "if"]);

function violations(validator: CompiledValidator, value: unknown): Violations {
  if (validator(value)) return [];
  const errors = validator.errors ?? [];
  validator.errors = null;
  // If a part does not fit, none of its members count as named; the part itself is the reason.
  const others = errors.filter(({ keyword }) => !surplus.has(keyword));
  return report(others.length > 0 ? others : errors, value);
}

/** RFC 4648 §4, with padding (CONT-03). */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
