import { expect, test } from "vitest";

import { isIdentity, isSameData } from "./identity.ts";

test.each([undefined, null, false, "", 0, Number.NaN, 1, 1n, "ada", Symbol("ada"), [], [{ user: "ada" }], () => true])(
  "isIdentity() refuses %s",
  (value) => expect(isIdentity(value)).toBe(false),
);

test("isIdentity() refuses an error, and takes objects and true", () => {
  expect(isIdentity(new Error("Who are you?"))).toBe(false);
  for (const value of [true, {}, { user: "ada" }, new Map(), new (class User extends Map {})()])
    expect(isIdentity(value)).toBe(true);
});

test("isSameData() compares plain data by its content", () => {
  const ada = (): object => ({ user: "ada", scopes: ["read", "write"], since: new Date(7), of: { team: null, n: 0 } });
  expect(isSameData(ada(), ada())).toBe(true);
  expect(isSameData(Object.create(null), Object.create(null))).toBe(true);
  for (const other of [
    { ...ada(), user: "bob" },
    { ...ada(), scopes: ["read"] },
    { ...ada(), scopes: { 0: "read", 1: "write" } },
    { ...ada(), since: new Date(8) },
    { ...ada(), of: { team: undefined, n: 0 } },
    { ...ada(), of: { team: null, n: -0 } },
    { ...ada(), [Symbol("more")]: 1 },
    { ...ada(), more: undefined },
    Object.assign(Object.create({ user: "ada" }), ada()),
    true,
  ]) {
    expect(isSameData(ada(), other)).toBe(false);
    expect(isSameData(other, ada())).toBe(false);
  }
});

test("isSameData() takes a member for another one only if both are the object's own", () => {
  expect(isSameData({ toString: undefined }, { user: undefined })).toBe(false);
  expect(isSameData({ user: Object.prototype.toString }, { toString: Object.prototype.toString })).toBe(false);
});

test("isSameData() knows objects of a class by reference only: private fields may tell them apart", () => {
  class User {
    readonly #name: string;
    constructor(name: string) {
      this.#name = name;
    }
    get name(): string {
      return this.#name;
    }
  }
  const ada = new User("ada");
  expect(isSameData(ada, ada)).toBe(true);
  expect(isSameData({ user: ada }, { user: ada })).toBe(true);
  expect(isSameData(ada, new User("bob"))).toBe(false);
  expect(isSameData(ada, new User("ada"))).toBe(false);
  expect(isSameData(new Map([["user", "ada"]]), new Map([["user", "bob"]]))).toBe(false);
});

test("isSameData() comes to an end with data that contains itself, and calls it different", () => {
  const loop = (): object => {
    const made: Record<string, unknown> = { user: "ada" };
    made["self"] = made;
    return made;
  };
  const one = loop();
  expect(isSameData(one, one)).toBe(true);
  expect(isSameData(one, loop())).toBe(false);
});
