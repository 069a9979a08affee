import type { ObjectShape, Shape } from "../../model/protocol-model.ts";
import type { Edition } from "./edition.ts";
import { code } from "./markdown.ts";

/** What a value is, in words: `array of string`, `integer (uint32)`, a link. */
export function typeText(shape: Shape, edition: Edition): string {
  switch (shape.kind) {
    case "any":
      return "any JSON";
    case "string":
      return withFormat("string", shape.encoding ?? shape.format ?? (shape.pattern && code(shape.pattern)));
    case "integer":
    case "number":
      return withFormat(shape.kind, shape.format);
    case "constant":
      return code(JSON.stringify(shape.value));
    case "enumeration":
      return shape.values.map(({ value }) => code(JSON.stringify(value))).join(" or ");
    case "array":
      return `array of ${typeText(shape.items, edition)}`;
    case "map":
      return shape.values.kind === "any"
        ? "object with any members"
        : `object with values of type ${typeText(shape.values, edition)}`;
    case "reference":
      return edition.linkTo(shape.name);
    case "nullable":
      return `${typeText(shape.shape, edition)} or null`;
    case "alternatives":
      return shape.branches.map((branch) => typeText(branch.shape, edition)).join(" or ");
    case "object":
      return objectText(shape, edition);
    default:
      return shape.kind;
  }
}

/** One without a name of its own: what it has to have tells it from others. */
function objectText({ members }: ObjectShape, edition: Edition): string {
  const required = members.filter((member) => member.required);
  if (required.length === 0) return "object";
  return `object with ${required.map(({ name, shape }) => `${code(name)}: ${typeText(shape, edition)}`).join(", ")}`;
}

function withFormat(type: string, format: string | undefined): string {
  return format === undefined ? type : `${type} (${format})`;
}
