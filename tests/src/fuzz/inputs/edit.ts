import type { Choices } from "./choices.ts";

type Container = Record<string, unknown> | unknown[];

/** What stands in the place of something else. */
const values: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 53,
  () => 1e308,
  () => "",
  () => "text",
  () => "/absolute",
  () => "\ud800",
  () => "x".repeat(5_000),
  () => [],
  () => [null, 1, "a", {}],
  () => ({}),
  () => ({ type: "text", text: "a" }),
  () => ({ sessionUpdate: "_acme", more: 1 }),
  () => Array.from({ length: 300 }, (_, index) => index),
  () => nested(100),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as unknown,
];

const names: readonly string[] = [
  "_meta",
  "type",
  "sessionUpdate",
  "sessionId",
  "content",
  "toString",
  "x-other",
  "0",
  "",
];

function nested(levels: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { content: value, type: "content" };
  return value;
}

/** Edits a copy of a JSON value at a few places, as the choices say. */
export function edited(value: unknown, choices: Choices, others: readonly unknown[] = []): unknown {
  const root = { value: structuredClone(value) };
  for (let edits = choices.below(6); edits > 0 && choices.left; edits--) editOnce(root, choices, others);
  return root.value;
}

function editOnce(root: { value: unknown }, choices: Choices, others: readonly unknown[]): void {
  let parent: Container = root;
  let key = "value";
  for (;;) {
    const child = member(parent, key);
    if (!isContainer(child)) break;
    const keys = Object.keys(child);
    // Of four walks, three go on.
    if (keys.length === 0 || choices.below(4) === 0) break;
    parent = child;
    key = choices.pick(keys);
  }
  const value = member(parent, key);
  switch (choices.below(7)) {
    case 0:
      return remove(parent, key);
    case 1:
      return put(parent, key, structuredClone(others.length === 0 ? null : (choices.pick(others) ?? null)));
    case 2:
      if (isContainer(value))
        put(value, Array.isArray(value) ? String(value.length) : choices.pick(names), choices.pick(values)());
      return;
    case 3:
      return put(parent, key, [value]);
    case 4:
      return put(parent, key, choices.text(20));
    default:
      return put(parent, key, choices.pick(values)());
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function member(parent: Container, key: string): unknown {
  return Array.isArray(parent) ? parent[Number(key)] : parent[key];
}

function put(parent: Container, key: string, value: unknown): void {
  Object.defineProperty(parent, key, { value, configurable: true, enumerable: true, writable: true });
}

function remove(parent: Container, key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (!("value" in parent)) delete parent[key];
}
