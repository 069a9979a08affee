import { expect, test } from "vitest";

import { foldersOf } from "./folders.ts";

test("foldersOf() follows the XDG specification", () => {
  expect(foldersOf({ HOME: "/h" }, "linux")).toEqual({
    config: "/h/.config/acp",
    state: "/h/.local/state/acp",
    cache: "/h/.cache/acp",
  });
  const env = { HOME: "/h", XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s", XDG_CACHE_HOME: "relative" };
  expect(foldersOf(env, "darwin")).toEqual({ config: "/c/acp", state: "/s/acp", cache: "/h/.cache/acp" });
});
