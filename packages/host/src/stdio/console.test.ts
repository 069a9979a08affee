import { Console } from "node:console";

import { afterEach, expect, test } from "vitest";

import { redirectConsole } from "./console.ts";

const printer = console;
const original = { ...printer };
afterEach(() => Object.assign(printer, original));

test("redirectConsole() sends stdout output elsewhere, in the usual format", () => {
  const written: string[] = [];
  let loads = 0;
  redirectConsole(
    () => {
      loads += 1;
      return Console;
    },
    (text) => written.push(text),
  );
  expect(loads).toBe(0);
  printer.log("a %s", "b", { c: 1 });
  printer.info("info");
  printer.debug("debug");
  printer.group("group");
  printer.log("inside");
  printer.groupEnd();
  printer.dir({ d: { e: 1 } });
  printer.count();
  printer.count();
  printer.table([{ f: 1 }]);
  const text = written.join("");
  expect(text).toContain("a b { c: 1 }\ninfo\ndebug\ngroup\n  inside\n{ d: { e: 1 } }\ndefault: 1\ndefault: 2\n");
  expect(text).toContain("│ f │");
  expect(loads).toBe(1);
});

test("redirectConsole() leaves stderr output alone", () => {
  const { error, warn } = printer;
  redirectConsole(
    () => Console,
    () => {},
  );
  expect([printer.error, printer.warn]).toEqual([error, warn]);
});
