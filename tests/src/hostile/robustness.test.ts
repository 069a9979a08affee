// Broken and hostile messages to an agent and to a client, each a process, over its pipes, as lines of JSON where a row does
// not name a framing. `npm run test:release` sends all of them in both framings, and compares the page about them.
import type { RoleTable } from "@acp/schema";
import { agentTable, clientTable } from "@acp/schema/v1";
import { beforeAll, describe, expect, test } from "vitest";

import type { RowResult } from "./harness/run-row.ts";
import { runThemes, type ThemeResult } from "./harness/run-themes.ts";
import { answered, failed, notification, request } from "./message.ts";
import { marker } from "./row.ts";
import { heavyThemes, themes } from "./rows/index.ts";
import { sampledMethods } from "./rows/shapes.ts";

const quickThemes = themes.filter((theme) => !heavyThemes.includes(theme));

describe("hostile input", () => {
  let results: readonly ThemeResult[] = [];
  beforeAll(async () => {
    results = await runThemes(quickThemes, ["ndjson"]);
  }, 3_600_000);

  test.each(quickThemes.map(({ title }) => title))("%s: every row has its required outcome", (title) => {
    const runs = results.find(({ theme }) => theme.title === title)?.results ?? [];
    expect(runs.length).toBeGreaterThan(0);
    expect(runs.filter(({ isOpen }) => isOpen).map(abbreviated)).toEqual([]);
  });
});

test("a row is open if something else comes of it, and the next one is run all the same", async () => {
  const framings = ["ndjson"] as const;
  const rows = [
    { name: "an answer that was not expected", framings, sends: ["{"], agent: { diagnostics: ["noise"] } },
    {
      name: "another answer",
      framings,
      sends: ["{"],
      agent: { answers: [failed("null", -32600)], diagnostics: ["noise"] },
    },
    { name: "another diagnostic", framings, sends: ["{}"], client: { diagnostics: ["framing"] } },
    { name: "a leak", framings, sends: [request("1", "_echo", `"${marker}"`)], client: { answers: [answered("1")] } },
    {
      name: "the end of the process",
      framings,
      sends: [notification("_note", '{"what":"end the process"}')],
      agent: {},
    },
    {
      name: "the required outcome",
      framings,
      sends: ["{"],
      agent: { answers: [failed("null", -32700)], diagnostics: ["noise"] },
    },
  ];
  const [result] = await runThemes([{ title: "", text: "", rows }]);
  const open = result?.results.map(({ row, isOpen, seen }) => [row.name, isOpen, seen.problems]);
  expect(open).toEqual([
    ["an answer that was not expected", true, []],
    ["another answer", true, []],
    ["another diagnostic", true, []],
    ["a leak", true, ["an answer holds the input"]],
    ["the end of the process", true, ["the process ended with 3"]],
    ["the required outcome", false, []],
  ]);
});

describe.each([
  { role: "agent", table: agentTable },
  { role: "client", table: clientTable },
] as const)("the samples for $role", ({ role, table }) => {
  test("cover every method of its table", () => {
    // The answer to initialize opens a connection, and so has rows of its own.
    const called = Object.keys(table.calls.requests).filter((method) => method !== "initialize");
    expect(sampledMethods[role].handled).toEqual(handledBy(table));
    expect(sampledMethods[role].called).toEqual(new Set(called));
  });
});

/** Cancelling has rows of its own. */
function handledBy({ handles: { requests, notifications } }: RoleTable): ReadonlySet<string> {
  const methods = [...Object.keys(requests), ...Object.keys(notifications)];
  return new Set(methods.filter((method) => method !== "$/cancel_request"));
}

/** Large inputs need not be in the report of a failure. */
function abbreviated({ row, role, framing, expected, seen }: RowResult): object {
  return {
    row: row.name,
    role,
    framing,
    expected: JSON.stringify(expected).slice(0, 500),
    seen: JSON.stringify(seen).slice(0, 500),
  };
}
