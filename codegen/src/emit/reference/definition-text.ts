import type {
  AlternativesShape,
  Branch,
  Definition,
  Documented,
  EnumerationShape,
  Member,
  ObjectShape,
  TaggedUnion,
  VariantGate,
} from "../../model/protocol-model.ts";
import type { Edition } from "./edition.ts";
import { definitionExamples } from "./example-text.ts";
import { gateText } from "./gate-text.ts";
import { blocks, code, table } from "./markdown.ts";
import { typeText } from "./type-text.ts";

/** The section of a definition: what it is, its members, its variants or values. */
export function definitionText(definition: Definition, edition: Edition, level: string): string {
  const { name } = definition;
  const mark = edition.isUnstable(name) ? unstable : undefined;
  return blocks(
    `${level} ${name}`,
    mark,
    edition.prose(docsOf(definition)),
    shapeText(definition, edition),
    definitionExamples(name, edition),
  );
}

/** What a schema says of something, its end included. */
function docsOf({ docs, deprecated }: Documented): string {
  return [docs, deprecated === true ? "Deprecated." : undefined].filter((part) => part !== undefined).join("\n\n");
}

/** What marks a part of the protocol that may still change. */
export const unstable = "*Unstable.*";

/** The member that nearly every object has; said once, on the start page. */
export const customData = "_meta";

function shapeText({ name, shape }: Definition, edition: Edition): string {
  switch (shape.kind) {
    case "object":
      return objectText(name, shape, edition);
    case "enumeration":
      return enumerationText(shape, edition);
    case "any":
      return "Any JSON value.";
    case "alternatives":
      if (shape.branches.length === 1) return `Always ${branchTexts(shape, edition).join("")}.`;
      return blocks(
        "One of:",
        branchTexts(shape, edition)
          .map((branch) => `- ${branch}`)
          .join("\n"),
      );
    case "reference":
      return `The same as ${edition.linkTo(shape.name)}.`;
    default:
      return `JSON type: ${typeText(shape, edition)}.`;
  }
}

function branchTexts({ branches }: AlternativesShape, edition: Edition): readonly string[] {
  return branches.map((branch) => typeText(branch.shape, edition));
}

function objectText(name: string, shape: ObjectShape, edition: Edition): string {
  const { union } = shape;
  const tag = union?.kind === "tagged" ? union.tag : undefined;
  const members = shape.members.filter((member) => member.name !== tag && member.name !== customData);
  const rows = members.map((member) => {
    const mark = !edition.isUnstable(name) && edition.isUnstableMember(name, member.name) ? unstable : "";
    return memberRow(member, edition, mark);
  });
  if (union === undefined && shape.includes.length === 0 && rows.length === 0) return "No members of its own.";
  return blocks(
    table(["Member", "Type", "Required", "Meaning"], rows),
    shape.includes.length === 0 ? undefined : `Also has the members of ${includedText(shape, edition)}.`,
    union?.kind === "tagged" ? taggedText(name, union, edition) : undefined,
    union?.kind === "alternatives"
      ? `Also has the members of one of these: ${typeText(union, edition).replaceAll(" or ", ", ")}.`
      : undefined,
  );
}

function memberRow(member: Member, edition: Edition, mark: string): readonly string[] {
  const type = typeText(member.shape, edition) + (member.nullable ? " or null" : "");
  const standard = ["string", "number", "boolean"].includes(typeof member.default)
    ? `Default: ${code(JSON.stringify(member.default))}.`
    : "";
  const meaning = [mark, edition.prose(docsOf(member)), standard].filter((part) => part !== "").join(" ");
  return [code(member.name), type, member.required ? "yes" : "no", meaning];
}

function taggedText(name: string, union: TaggedUnion, edition: Edition): string {
  const gates = edition.model.variantGates.filter((gate) => gate.union === name);
  const rows = union.variants.map((variant) => {
    const gate = gates.find(({ tag }) => tag === variant.value);
    const needs = gate === undefined || isSaid(gate, variant.docs) ? "" : `Requires ${variantGateText(gate)}.`;
    const mark = !edition.isUnstable(name) && edition.isUnstableVariant(name, variant.value) ? unstable : "";
    return branchRow(code(variant.value), variant, edition, [mark, needs]);
  });
  if (union.fallback !== undefined) rows.push(branchRow("absent", union.fallback, edition, []));
  const isOpen = union.other !== undefined || edition.model.openUnions.includes(name);
  return blocks(
    `${code(union.tag)} identifies the kind:`,
    table([code(union.tag), "Members", "Meaning"], rows),
    isOpen ? "A receiver must expect other kinds too." : undefined,
  );
}

function variantGateText({ gate, sender }: VariantGate): string {
  return gateText(gate, sender === "agent" ? "client" : "agent");
}

/** Whether the prose names the capability already. */
function isSaid({ gate }: VariantGate, docs: string | undefined): boolean {
  return gate.kind === "capability" && docs?.includes(code(gate.path.join("."))) === true;
}

function branchRow(value: string, branch: Branch, edition: Edition, notes: readonly string[]): readonly string[] {
  const { shape } = branch;
  const own = shape.members.map(
    (member) => `${code(member.name)}${member.required ? "" : "?"}: ${typeText(member.shape, edition)}`,
  );
  const included = shape.includes.length === 0 ? [] : [`those of ${includedText(shape, edition)}`];
  const [mark, ...others] = notes;
  const meaning = [mark ?? "", edition.prose(docsOf(branch)), ...others].filter((part) => part !== "").join(" ");
  return [value, [...own, ...included].join(", ") || "none", meaning];
}

function includedText(shape: ObjectShape, edition: Edition): string {
  return shape.includes.map((name) => edition.linkTo(name)).join(" and ");
}

function enumerationText(shape: EnumerationShape, edition: Edition): string {
  const rows = shape.values.map(({ value, title, docs }) => [
    code(String(value)),
    [shape.base === "integer" && title !== undefined ? `${title}.` : "", edition.prose(docs)].join(" ").trim(),
  ]);
  return blocks(
    table(["Value", "Meaning"], rows),
    shape.open === undefined ? undefined : `A receiver must expect other ${shape.base}s too.`,
  );
}
