import { expect, test } from "vitest";

import { MisfitFinders } from "./find-misfits.ts";

test("a finder for a union looks only into the variants that hold any values, and names that are no identifiers are quoted", () => {
  const finders = new MisfitFinders();
  const variants = { member: "update", tag: "kind-of", variants: ["move", "copy"] };
  const name = finders.name(
    "MoveNotification",
    { update: { "from-path": "path", to: [{ at: ["line"] }] } },
    true,
    variants,
  );
  expect(name).toBe("findMisfitsInMoveNotification");
  expect(finders.module("./protocol.ts", ["// head"])).toBe(`// head

import { isRelative, type Misfit } from "./protocol.ts";

export function findMisfitsInMoveNotification(message: any): Misfit[] | undefined {
  let found: Misfit[] | undefined;
  const value1 = message?.update;
  if (value1?.["kind-of"] === "move" || value1?.["kind-of"] === "copy") {
    if (isRelative(value1?.["from-path"])) (found ??= []).push(["path", "update", "from-path"]);
    const value2 = value1?.to;
    if (Array.isArray(value2)) {
      for (let index2 = 0; index2 < value2.length; index2++) {
        const value3 = value2[index2]?.at;
        if (Array.isArray(value3)) {
          for (let index3 = 0; index3 < value3.length; index3++) {
            if (value3[index3] === 0) (found ??= []).push(["line", "update", "to", index2, "at", index3]);
          }
        }
      }
    }
  }
  return found;
}
`);
});

test("methods with the same values share a finder, and only what is used is imported", () => {
  const finders = new MisfitFinders();
  expect(finders.module("r", [])).toBeUndefined();
  const name = (definition: string): string => finders.name(definition, { line: "line" }, true);
  expect([name("JumpRequest"), name("SkipRequest")]).toEqual(["findMisfitsInJumpRequest", "findMisfitsInJumpRequest"]);
  expect(finders.module("r", [])).toContain('import { type Misfit } from "r";');
  expect(finders.name("OpenRequest", { path: "path" }, true)).toBe("findMisfitsInOpenRequest");
  expect(finders.module("r", [])).toContain('import { isRelative, type Misfit } from "r";');
});

test("a finder for messages that are not read often is described", () => {
  const finders = new MisfitFinders();
  const name = (): string => finders.name("ListRequest", { list: [{ line: "line", "a-b": "path" }] }, false);
  expect([name(), name()]).toEqual(["findMisfitsInListRequest", "findMisfitsInListRequest"]);
  expect(finders.module("r", ["// head"])).toBe(`// head

import { type FindMisfits, misfitsIn } from "r";

export const findMisfitsInListRequest: FindMisfits = /* @__PURE__ */ misfitsIn({ list: [{ line: "line", "a-b": "path" }] });
`);
});
