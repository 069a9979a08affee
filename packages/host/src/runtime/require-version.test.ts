import { UsageError } from "@acp/core";
import { expect, test } from "vitest";

import { requireVersion } from "./require-version.ts";

test.each(["2.7.0", "2.7", "2.10.3", "3.0.0", "2.7.0-rc.1", "2.9.6+1234567", "canary"])(
  "lets %s through",
  (version) => {
    expect(() => requireVersion("Deno", version, "2.7")).not.toThrow();
  },
);

test.each(["2.6.8", "2.0.0", "1.46.3", "2.6.8+1234567"])("refuses %s, and names the required version", (version) => {
  const attempt = (): void => requireVersion("Deno", version, "2.7");
  expect(attempt).toThrow(UsageError);
  expect(attempt).toThrow(`Deno 2.7 or newer is needed, this is Deno ${version}`);
});
