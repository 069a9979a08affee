import { MockLanguageModelV4 } from "ai/test";
import { expect, test } from "vitest";

import type { ConfiguredModel, ConfiguredModels } from "../../model/models.ts";
import { choicesOf } from "./choices.ts";
import { changeSetting, defaultSettings, readSettings } from "./session-settings.ts";

const model = (id: string, efforts: ConfiguredModel["efforts"]): ConfiguredModel => {
  return { id, name: id, model: new MockLanguageModelV4(), contextSize: 1000, efforts, takesImages: false };
};
const models: ConfiguredModels = [model("small", []), model("big", ["low", "high"])];

test("the efforts to choose from are those of the model", () => {
  const settings = defaultSettings(models);
  expect(choicesOf(models, settings).map(({ id }) => id)).toEqual(["mode", "model"]);
  changeSetting(models, settings, "model", "big");
  const effort = choicesOf(models, settings).find(({ id }) => id === "effort");
  expect(effort?.values.map(({ value }) => value)).toEqual(["default", "low", "high"]);
});

test("a model that does not know the effort has its default", () => {
  const settings = defaultSettings(models);
  changeSetting(models, settings, "model", "big");
  changeSetting(models, settings, "effort", "high");
  expect(settings).toEqual({ mode: "ask", model: "big", effort: "high" });
  changeSetting(models, settings, "model", "small");
  expect(settings).toEqual({ mode: "ask", model: "small", effort: "default" });
});

test("uses the default when the saved choice is no longer available", () => {
  expect(readSettings(models, { effort: "high", mode: "plan", model: "big" })).toEqual({
    mode: "plan",
    model: "big",
    effort: "high",
  });
  expect(readSettings(models, { mode: "plan", model: "gone", effort: "high" })).toEqual({
    mode: "plan",
    model: "small",
    effort: "default",
  });
  expect(readSettings(models, undefined)).toEqual(defaultSettings(models));
});
