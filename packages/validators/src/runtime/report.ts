import type { CompiledError } from "./compiled.ts";

/** One error in a message. */
export interface ValidationError {
  /** Where, as a JSON Pointer (RFC 6901): `/prompt/0/text`. The empty string is the message itself. */
  readonly path: string;
  /** The expected value, and the kind of the received one. Never repeats the value itself. */
  readonly reason: string;
}

/** Converts the errors of ajv's code to paths and reasons, each once. */
export function report(errors: readonly CompiledError[], value: unknown): ValidationError[] {
  const reported = new Map<string, ValidationError>();
  for (const error of errors) {
    // An `if` fails only together with an error of its `then` or `else`.
    if (error.keyword === "if") continue;
    const entry = describe(error, value);
    reported.set(`${entry.path} ${entry.reason}`, entry);
  }
  return [...reported.values()];
}

function describe({ instancePath: path, keyword, params }: CompiledError, value: unknown): ValidationError {
  switch (keyword) {
    case "required":
      return { path: `${path}/${escaped(String(params["missingProperty"]))}`, reason: "is required" };
    case "type":
      return { path, reason: `expected ${types(params["type"])}, got ${kind(valueAt(value, path))}` };
    case "const":
      return { path, reason: `expected ${JSON.stringify(params["allowedValue"])}` };
    case "enum":
      return { path, reason: `expected one of ${list(params["allowedValues"])}` };
    case "format":
      return { path, reason: `expected ${describeFormat(String(params["format"]))}` };
    case "minimum":
      return { path, reason: `expected at least ${String(params["limit"])}` };
    case "maximum":
      return { path, reason: `expected at most ${String(params["limit"])}` };
    case "exclusiveMinimum":
      return { path, reason: `expected more than ${String(params["limit"])}` };
    case "exclusiveMaximum":
      return { path, reason: `expected less than ${String(params["limit"])}` };
    case "multipleOf":
      return { path, reason: `expected a multiple of ${String(params["multipleOf"])}` };
    case "minItems":
      return { path, reason: `expected ${String(params["limit"])} or more items` };
    case "maxItems":
      return { path, reason: `expected at most ${String(params["limit"])} items` };
    case "uniqueItems":
      return { path: `${path}/${String(params["i"])}`, reason: `equals the item ${String(params["j"])}` };
    case "minLength":
      return { path, reason: `expected ${String(params["limit"])} or more characters` };
    case "maxLength":
      return { path, reason: `expected at most ${String(params["limit"])} characters` };
    case "pattern":
      return { path, reason: `expected text that matches ${String(params["pattern"])}` };
    case "propertyNames":
      return { path: `${path}/${shown(params["propertyName"])}`, reason: "is not a name that members may have" };
    case "not":
      return { path, reason: "is a value that the schema rules out" };
    case "additionalProperties":
      return { path: `${path}/${shown(params["additionalProperty"])}`, reason: "is no member of the protocol" };
    case "unevaluatedProperties":
      return { path: `${path}/${shown(params["unevaluatedProperty"])}`, reason: "is no member of the protocol" };
    case "anyOf":
      return { path, reason: "fits none of the shapes it may have" };
    case "oneOf":
      return params["passingSchemas"] === null
        ? { path, reason: "fits none of the shapes it may have" }
        : { path, reason: "fits more than one of the shapes it may have" };
    default:
      return { path, reason: `does not meet ${keyword}` };
  }
}

/** The formats of strict mode in words. */
const ownFormats: Readonly<Record<string, string>> = {
  "absolute-path": "an absolute path",
  base64: "base64",
  "extension-name": "a value of the protocol, or an extension's, which begins with _",
};

function describeFormat(format: string): string {
  return ownFormats[format] ?? `the format ${format}`;
}

function types(type: unknown): string {
  const names = Array.isArray(type) ? type : [type];
  return names.map((name) => withArticle(String(name))).join(" or ");
}

function withArticle(type: string): string {
  if (type === "null") return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function kind(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  return withArticle(Array.isArray(value) ? "array" : typeof value);
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(", ") : "the allowed values";
}

/** Returns a member name that the peer chose, if it is safe to show. */
export function shown(name: unknown): string {
  const text = String(name);
  return text.length <= 128 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text) ? escaped(text) : "*";
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Finds the value of a JSON Pointer, among own members only. */
function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}
