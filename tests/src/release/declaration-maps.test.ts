// "Go to definition" has to lead to the sources that the packages contain: declarations are put together after compiling.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

const declaration = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|const|function) (\w+)/u;

const names = ["schema", "framing", "core", "http", "mcp", "proxy", "record", "go-dialect", "host"];

test.each(names)("the declarations of @acp/%s lead to its sources", (name) => {
  const dist = fileURLToPath(new URL(`../../../packages/${name}/dist`, import.meta.url));
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".d.ts"));
  const led = files.flatMap((file) => leadsOf(join(dist, file)));
  expect(led.length).toBeGreaterThan(5);
  expect(led.filter(([declared, there]) => there !== declared)).toEqual([]);
});

/** What each declaration of a file is called, and what stands where its map leads to. */
function leadsOf(file: string): readonly (readonly [string, string | undefined])[] {
  const map = existsSync(`${file}.map`) ? new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8"))) : undefined;
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((text, line) => {
      const declared = declaration.exec(text)?.[1];
      if (declared === undefined) return [];
      const entry = map?.findEntry(line, text.indexOf(` ${declared}`) + 1);
      if (entry === undefined || !("originalSource" in entry)) return [[declared, "nowhere"]];
      const source = join(dirname(file), entry.originalSource);
      const there = existsSync(source) ? readFileSync(source, "utf8").split("\n")[entry.originalLine] : undefined;
      return [[declared, there?.slice(entry.originalColumn, entry.originalColumn + declared.length)]];
    });
}
