import type { Received } from "@acp/schema/v1";
import { describe, expect, test } from "vitest";
import { optionsOf } from "../shared/settings.ts";
import { modeSelector } from "./settings.ts";

const select = (id: string, category?: string | null): Received.SessionConfigOption => ({
  type: "select",
  id,
  name: id,
  category,
  currentValue: "x",
  options: [{ value: "x", name: "X" }],
});
const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };

describe("modeSelector()", () => {
  test("CONF-02 prefers config options to modes", () => {
    const option = select("m", "mode");
    expect(modeSelector({ modes, configOptions: [select("a"), option] })).toEqual({ via: "config_option", option });
    expect(modeSelector({ modes, configOptions: [select("a")] })).toBeUndefined();
  });

  test("CONF-18 falls back to modes without config options", () => {
    expect(modeSelector({ modes, configOptions: undefined })).toEqual({ via: "modes", modes });
    // Those that it has are of a type that was left out: of one not advertised (CONF-05), or not known (CONF-12).
    expect(modeSelector({ modes, configOptions: [] })).toEqual({ via: "modes", modes });
    expect(modeSelector({ modes: undefined, configOptions: undefined })).toBeUndefined();
  });
});

describe("optionsOf()", () => {
  const configOptions = [
    select("b", "model"),
    select("z", "_acme/speed"),
    select("a", "model"),
    select("n"),
    select("0", null),
    select("t", "thought_level"),
    select("f", "from_the_future"),
    select("h", "__proto__"),
  ];
  const ids = (category: string | undefined): string[] => optionsOf({ configOptions }, category).map(({ id }) => id);

  test("CONF-03 keeps the agent's order: the first option of a category is the preferred one", () => {
    expect(ids("model")).toEqual(["b", "a"]);
  });

  test("CONF-08 finds options without a category, or with an unknown one", () => {
    expect(ids(undefined)).toEqual(["z", "n", "0", "f", "h"]);
    expect(ids("_acme/speed")).toEqual(["z"]);
    expect(ids("mode")).toEqual([]);
    expect(optionsOf({ configOptions: undefined }, "mode")).toEqual([]);
  });
});
