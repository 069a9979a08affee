// The same sessions give the same bytes: scripted sessions are compared with what was recorded of them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { findDifference } from "./harness/compare.ts";
import { missingIn } from "./harness/coverage.ts";
import { editions, tagsOf } from "./harness/edition.ts";
import { recordTopic } from "./harness/record.ts";
import { fileOf, topics } from "./topics.ts";

const recordingOf = (topic: (typeof topics)[number]): string =>
  existsSync(fileOf(topic)) ? readFileSync(fileOf(topic), "utf8") : "";

describe("the wire", () => {
  test.each(topics.map((topic) => ({ ...topic, topic })))(
    "of $edition, $name, is as it was recorded",
    async ({ topic }) => {
      const difference = findDifference(recordingOf(topic), await recordTopic(topic));
      if (difference !== undefined) expect.fail(`${fileOf(topic).pathname} differs:\n${difference}`);
    },
  );

  test("has no recordings that nobody makes", () => {
    const made = new Set(topics.map((topic) => fileOf(topic).pathname.split("/").at(-1)));
    expect(new Set(readdirSync(new URL("recordings", import.meta.url)))).toEqual(made);
  });
});

describe.each(editions)("the recordings of $name", (edition) => {
  const recordings = topics.filter((topic) => topic.edition === edition.name).map(recordingOf);

  test("have every method, both ways, and every tag of a turn's updates", () => {
    expect(missingIn(edition, recordings)).toEqual([]);
  });

  test("are counted against a schema that was found", () => {
    expect(tagsOf(edition, "SessionUpdate", "sessionUpdate").length).toBeGreaterThan(10);
    expect(missingIn(edition, []).length).toBeGreaterThan(50);
  });
});

describe("findDifference()", () => {
  const recording = [
    '{"scenario":"s","order":"per side"}',
    '{"step":"one"}',
    "A1",
    "C1",
    "A2",
    '{"step":"two"}',
    "C2",
    "",
  ]
    .join("\n")
    .replaceAll(
      /[AC]\d/g,
      (name) => `{"from":"${name.startsWith("A") ? "agent" : "client"}","message":{"id":"${name}"}}`,
    );

  test("takes the order within a side, not between them", () => {
    const lines = recording.split("\n");
    const swapped = (a: number, b: number): string =>
      lines
        .with(a, lines[b] ?? "")
        .with(b, lines[a] ?? "")
        .join("\n");
    expect(findDifference(recording, recording)).toBeUndefined();
    expect(findDifference(recording, swapped(2, 3))).toBeUndefined();
    expect(findDifference(recording, swapped(2, 4))).toContain("s, one, agent, line 1");
    const total = (text: string): string => text.replace("per side", "total");
    expect(findDifference(total(recording), total(swapped(2, 3)))).toContain("s, one, both sides, line 1");
  });

  test("shows the first line that differs, is missing or new", () => {
    expect(findDifference(recording, recording.replace('"A2"', '"A3"'))).toBe(
      [
        "s, one, agent, line 2",
        '          {"from":"agent","message":{"id":"A1"}}',
        'recorded: {"from":"agent","message":{"id":"A2"}}',
        'now:      {"from":"agent","message":{"id":"A3"}}',
      ].join("\n"),
    );
    const lines = recording.split("\n");
    expect(findDifference(recording, lines.toSpliced(4, 1).join("\n"))).toContain("now:      nothing more");
    expect(findDifference(recording, lines.toSpliced(6, 1).join("\n"))).toContain("now:      nothing more");
    expect(findDifference("", recording)).toContain("recorded: nothing more");
  });
});
