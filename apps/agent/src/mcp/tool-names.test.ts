import { expect, test } from "vitest";

import { nameTools } from "./tool-names.ts";

test("nameTools() makes valid names that differ", () => {
  const names = nameTools([
    { server: "files", tool: "read" },
    { server: "my files", tool: "Größe?" },
    { server: "my_files", tool: "Gr_e_" },
    { server: "a".repeat(80), tool: "x" },
    { server: "a".repeat(80), tool: "y" },
  ]);
  expect(names).toEqual(["files__read", "my_files__Gr_e_", "my_files__Gr_e__2", "a".repeat(64), `${"a".repeat(62)}_2`]);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/u);
});
