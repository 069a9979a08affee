import { expect, test } from "vitest";

import { stripTypes } from "../scripts/strip-types.ts";

test.each([
  ['import type { A } from "a";\nconst b = 1;\n', "const b = 1;\n"],
  ['import { type A, b } from "a";\n', 'import { b } from "a";\n'],
  ["interface A {\n  readonly b: string;\n}\nexport type C = A;\nb();\n", "b();\n"],
  ["export interface A {}\nb();\n", "b();\n"],
  ["const a: readonly string[] = b as string[];\n", "const a = b;\n"],
  ["const a = { b } as const satisfies C;\n", "const a = { b };\n"],
  ["a!.b!();\n", "a.b();\n"],
  ["f<A>(new Map<B, C>());\n", "f(new Map());\n"],
  ["async function f<A>(a: A, { b }: B = {}): Promise<A> {}\n", "async function f(a, { b } = {}) {}\n"],
  ["const f = <A,>(a: A): a is B => a;\n", "const f = (a) => a;\n"],
  ['const a = "as const: string";\n// b: number\n', 'const a = "as const: string";\n// b: number\n'],
])("%j becomes JavaScript", (code, expected) => {
  expect(stripTypes(code, "ts")).toBe(expected);
});

test("the types of JSX go, and its texts stay", () => {
  expect(stripTypes("const a = (p: P) => <li key={p.a as string}>a: b as c</li>;\n", "tsx")).toBe(
    "const a = (p) => <li key={p.a}>a: b as c</li>;\n",
  );
});

test("a template has nothing that cannot be stripped", () => {
  expect(() => stripTypes("function f(a?: string) {}\n", "ts")).toThrow("question mark");
});
