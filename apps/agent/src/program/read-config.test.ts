import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { foldersOf } from "./folders.ts";
import { readConfig } from "./read-config.ts";

function write(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "acp-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "config.json");
  writeFileSync(path, text);
  return path;
}

test("readConfig() reads models", () => {
  const config = {
    $schema: "x",
    maxSteps: 5,
    models: [
      {
        id: "a",
        name: "A",
        provider: "openai",
        model: "m",
        baseUrl: "http://localhost/v1",
        keyVariable: "KEY",
        contextSize: 1000,
        maxOutputTokens: 100,
        efforts: ["low", "high"],
        images: true,
        price: { currency: "USD", input: 1, output: 2.5, cachedInput: 0 },
      },
    ],
  };
  expect(readConfig(write(`\uFEFF${JSON.stringify(config)}`), true)).toEqual(config);
});

test.each([
  ["{", /config\.json is no JSON: /u],
  ["[]", /config\.json: It must be an object\.$/u],
  ['{"model":1}', /config\.json: model is unknown\.$/u],
  ['{"models":[{"provider":"openai"}]}', /config\.json: models\[0\]\.model is missing\.$/u],
  ['{"models":[{"provider":"x","model":"m"}]}', /models\[0\]\.provider must be one of openai, anthropic\.$/u],
  ['{"models":[{"provider":"openai","model":"m","key":"secret"}]}', /models\[0\]\.key is unknown\.$/u],
])("readConfig() reports the mistake in %s", (text, reason) => {
  expect(() => readConfig(write(text), false)).toThrow(reason);
});

test("readConfig() needs only a file that the user has named", () => {
  expect(readConfig("/none/config.json", false)).toEqual({});
  expect(() => readConfig("/none/config.json", true)).toThrow("The configuration cannot be read: ENOENT");
});

test("foldersOf() follows the system", () => {
  expect(foldersOf({ HOME: "/home/a", XDG_CONFIG_HOME: "relative", XDG_STATE_HOME: "/s" }, "linux")).toEqual({
    config: join("/home/a", ".config", "acp-agent"),
    state: join("/s", "acp-agent"),
  });
  expect(foldersOf({ APPDATA: "R", LOCALAPPDATA: "L" }, "win32")).toEqual({
    config: join("R", "acp-agent"),
    state: join("L", "acp-agent"),
  });
});
