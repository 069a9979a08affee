import { expect, test } from "vitest";

import type { ModelConfig } from "../model/model-config.ts";
import { chooseModels } from "./choose-models.ts";

const local: ModelConfig = { provider: "openai", model: "qwen", id: "local", baseUrl: "http://localhost:11434/v1" };
const remote: ModelConfig = { provider: "anthropic", model: "some" };

test("chooseModels() has no model if none is named", () => {
  expect(chooseModels({ configured: [], chosen: undefined })).toEqual([]);
  expect(chooseModels({ configured: [], chosen: "" })).toEqual([]);
});

test("chooseModels() puts the chosen model first", () => {
  const configured = [local, remote];
  expect(chooseModels({ configured, chosen: undefined })).toEqual([local, remote]);
  expect(chooseModels({ configured, chosen: "anthropic/some" })).toEqual([remote, local]);
  expect(chooseModels({ configured, chosen: "openai/org/new" })).toEqual([
    { provider: "openai", model: "org/new" },
    local,
    remote,
  ]);
});

test("chooseModels() reports unknown names", () => {
  expect(() => chooseModels({ configured: [local, remote], chosen: "gpt" })).toThrow(
    "There is no model gpt. The configuration has local, anthropic/some. Write openai/ or anthropic/ before the name of any other model.",
  );
  expect(() => chooseModels({ configured: [local, local], chosen: undefined })).toThrow(
    "Two models of the configuration have the id local.",
  );
});
