import type { ProtocolModel, Shape } from "../../model/protocol-model.ts";
import { alternation, literal } from "../code.ts";

/** How to check, without calling a decoder, a value that is kept or refused as it is. */
export interface ScalarCheck {
  /** An expression that holds for values that fit. */
  readonly accepts: (value: string) => string;
  /** An expression that holds for values that do not fit. */
  readonly refuses: (value: string) => string;
  /** What fits, in words: `a string`. */
  readonly expected: string;
  /** Functions of the runtime that the expressions call. */
  readonly uses: readonly string[];
}

/** The check of a shape; `undefined` for shapes that need a decoder, and for `any`, which needs no check. */
export function scalarCheck(shape: Shape, model: ProtocolModel): ScalarCheck | undefined {
  switch (shape.kind) {
    case "string":
      if ((shape.minLength ?? 0) > 0) {
        const count = shape.minLength!;
        return call(
          "isText",
          [String(count)],
          `a string of at least ${count} ${count === 1 ? "character" : "characters"}`,
        );
      }
      return typeOf("string", "a string");
    case "boolean":
      return typeOf("boolean", "a boolean");
    case "null":
      return equal("null", "null");
    case "constant":
      return equal(literal(shape.value), `one of ${JSON.stringify(shape.value)}`);
    case "integer":
    case "number":
      return numberCheck(shape);
    case "never":
      return { accepts: () => "false", refuses: () => "true", expected: "nothing", uses: [] };
    case "map":
      // A map that must be empty keeps what it has, as objects keep members that they do not name.
      return shape.values.kind === "any" || shape.values.kind === "never"
        ? call("isFields", [], "an object")
        : undefined;
    case "enumeration":
      return shape.open === undefined ? undefined : scalarCheck(shape.open, model);
    case "reference":
      return scalarCheck(model.definitions.get(shape.name)!.shape, model);
    case "alternatives": {
      const checks = shape.branches.map((branch) => scalarCheck(branch.shape, model));
      const known = checks.filter((check) => check !== undefined);
      return shape.exclusive || known.length < checks.length ? undefined : anyOf(known);
    }
    default:
      return undefined;
  }
}

/** A shape with its references followed. */
export function resolve(shape: Shape, model: ProtocolModel): Shape {
  return shape.kind === "reference" ? resolve(model.definitions.get(shape.name)!.shape, model) : shape;
}

function typeOf(type: string, expected: string): ScalarCheck {
  return {
    accepts: (value) => `typeof ${value} === "${type}"`,
    refuses: (value) => `typeof ${value} !== "${type}"`,
    expected,
    uses: [],
  };
}

function equal(constant: string, expected: string): ScalarCheck {
  return {
    accepts: (value) => `${value} === ${constant}`,
    refuses: (value) => `${value} !== ${constant}`,
    expected,
    uses: [],
  };
}

function call(name: string, more: readonly string[], expected: string): ScalarCheck {
  const accepts = (value: string): string => `${name}(${[value, ...more].join(", ")})`;
  return { accepts, refuses: (value) => `!${accepts(value)}`, expected, uses: name.includes(".") ? [] : [name] };
}

function numberCheck(shape: Shape & { kind: "integer" | "number" }): ScalarCheck {
  const { kind, minimum, maximum } = shape;
  const noun = kind === "integer" ? "an integer" : "a number";
  if (minimum === undefined && maximum === undefined) {
    return call(kind === "integer" ? "Number.isInteger" : "Number.isFinite", [], noun);
  }
  const name = kind === "integer" ? "isInteger" : "isNumber";
  if (maximum === undefined) return call(name, [String(minimum)], `${noun} of at least ${minimum}`);
  if (minimum === undefined) return call(name, ["-Infinity", String(maximum)], `${noun} of at most ${maximum}`);
  return call(name, [String(minimum), String(maximum)], `${noun} from ${minimum} to ${maximum}`);
}

function anyOf(checks: readonly ScalarCheck[]): ScalarCheck {
  const accepts = (value: string): string => checks.map((check) => check.accepts(value)).join(" || ");
  return {
    accepts,
    refuses: (value) => checks.map((check) => check.refuses(value)).join(" && "),
    expected: alternation([...new Set(checks.map((check) => check.expected))]),
    uses: checks.flatMap((check) => check.uses),
  };
}
