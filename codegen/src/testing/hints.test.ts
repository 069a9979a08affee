import { describe, expect, test } from "vitest";
import type { Member, Shape } from "../model/protocol-model.ts";
import { readModel } from "../model/read-model.ts";
import { parts } from "../model/walk.ts";
import { type Hint, hintedMembers } from "./hints.ts";
import { readSchema, schemaNames } from "./schemas.ts";

/** Every member that is described anywhere in a shape. */
function* membersOf(shape: Shape): Iterable<Member> {
  if (shape.kind === "object") yield* shape.members;
  for (const part of parts(shape)) yield* membersOf(part);
}

const inModel: readonly [Hint, (member: Member) => boolean][] = [
  ["x-deserialize-default-on-error", (member) => member.defaultOnError],
  ["x-deserialize-skip-invalid-items", (member) => member.skipInvalidItems],
  ["x-deserialize-default-on-null", (member) => member.defaultOnNull],
];

describe.each(schemaNames)("readModel() of %s", (name) => {
  const document = readSchema(name);
  const members = [...readModel(document).definitions.values()].flatMap(({ shape }) => [...membersOf(shape)]);

  test.each(inModel)("has every %s of the schema", (hint, isSet) => {
    expect(members.filter(isSet)).toHaveLength(hintedMembers(document, hint).length);
  });
});
