import { expect, test } from "vitest";

import { CheckEmitter } from "./emit-checks.ts";

test("a check for a union looks only into the variants that hold any values, and quotes names that are not identifiers", () => {
  const checks = new CheckEmitter();
  const variants = { member: "update", tag: "kind-of", variants: ["move", "copy"] };
  const name = checks.name(
    "MoveNotification",
    { update: { "from-path": "path", to: [{ at: ["line"] }] } },
    true,
    variants,
  );
  expect(name).toBe("checkMoveNotification");
  expect(checks.module("./protocol.ts", ["// head"])).toBe(`// head

import { isRelative, type InvalidArgument } from "./protocol.ts";

export function checkMoveNotification(message: any): InvalidArgument[] | undefined {
  let found: InvalidArgument[] | undefined;
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

test("methods with the same values share a check, and only used names are imported", () => {
  const checks = new CheckEmitter();
  expect(checks.module("r", [])).toBeUndefined();
  const name = (definition: string): string => checks.name(definition, { line: "line" }, true);
  expect([name("JumpRequest"), name("SkipRequest")]).toEqual(["checkJumpRequest", "checkJumpRequest"]);
  expect(checks.module("r", [])).toContain('import { type InvalidArgument } from "r";');
  expect(checks.name("OpenRequest", { path: "path" }, true)).toBe("checkOpenRequest");
  expect(checks.module("r", [])).toContain('import { isRelative, type InvalidArgument } from "r";');
});

test("a check for messages that are not read often is described", () => {
  const checks = new CheckEmitter();
  const name = (): string => checks.name("ListRequest", { list: [{ line: "line", "a-b": "path" }] }, false);
  expect([name(), name()]).toEqual(["checkListRequest", "checkListRequest"]);
  expect(checks.module("r", ["// head"])).toBe(`// head

import { type ArgumentCheck, checkPlaces, sentLine, sentPath } from "r";

export const checkListRequest: ArgumentCheck = /* @__PURE__ */ checkPlaces({ _: { list: [{ _: { line: sentLine, "a-b": sentPath } }] } });
`);
});
