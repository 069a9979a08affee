// "Go to definition" has to lead to the sources that the packages contain: declarations are put together after compiling.
import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

const declaration = /^export (?:declare )?(?:abstract )?(?:interface|type|class|const|function) (\w+)/u;

test.each(["schema", "framing", "core", "host"])("the declarations of @acp/%s lead to its sources", (name) => {
  const main = fileURLToPath(new URL(`../../packages/${name}/dist/main.d.ts`, import.meta.url));
  const map = new SourceMap(JSON.parse(readFileSync(`${main}.map`, "utf8")));
  const led = readFileSync(main, "utf8")
    .split("\n")
    .flatMap((text, line) => {
      const declared = declaration.exec(text)?.[1];
      if (declared === undefined) return [];
      const entry = map.findEntry(line, text.indexOf(` ${declared}`) + 1);
      if (!("originalSource" in entry)) return [[declared, "nowhere"]];
      const source = join(dirname(main), entry.originalSource);
      const there = existsSync(source) ? readFileSync(source, "utf8").split("\n")[entry.originalLine] : undefined;
      return [[declared, there?.slice(entry.originalColumn, entry.originalColumn + declared.length)]];
    });
  expect(led.length).toBeGreaterThan(5);
  expect(led.filter(([declared, there]) => there !== declared)).toEqual([]);
});
