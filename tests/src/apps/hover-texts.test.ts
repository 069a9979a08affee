// What an editor shows of the main entry points, asked of the language service that editors run.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import ts from "typescript-5.9";
import { describe, expect, test } from "vitest";

const names = ["serveStdio", "spawnAgent", "spawnTransport", "terminalLogin", "fileSystem", "terminals"];

/** What hovering over a name shows, in an import and in a call. */
function hovers(runtime: string): (name: string, where: "import" | "call") => { text: string; tags: string[] } {
  // Nowhere on the disk, but beside what can be resolved.
  const file = fileURLToPath(new URL(`hover-${runtime}.ts`, import.meta.url));
  const calls = names.map((name) => `${name}();`).join("\n");
  const code = `import { ${names.join(", ")} } from "@acp/${runtime}";\n${calls}\n`;
  const read = (path: string): string | undefined => (path === file ? code : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: (path) => ts.sys.realpath?.(path) ?? path,
    readFile: read,
    fileExists: (path) => path === file || existsSync(path),
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => fileURLToPath(new URL(".", import.meta.url)),
    getCompilationSettings: () => ({
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      types: [],
    }),
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  });
  return (name, where) => {
    const info = service.getQuickInfoAtPosition(file, code.indexOf(where === "import" ? ` ${name}` : `\n${name}`) + 1);
    return {
      text: ts.displayPartsToString(info?.documentation),
      tags: (info?.tags ?? []).map((tag) => tag.name),
    };
  };
}

describe.each(["node", "deno", "bun"])("@acp/%s", (runtime) => {
  const hover = hovers(runtime);

  test.each(names)("%s shows its description, in the import and in the call", (name) => {
    const called = hover(name, "call");
    expect(called.text.length).toBeGreaterThan(200);
    const [summary] = called.text.split("\n\n");
    expect(oneLine(hover(name, "import").text)).toBe(oneLine(summary ?? ""));
    expect(called.text + hover(name, "import").text).not.toContain("@inheritDoc");
  });

  test("spawnAgent lists its errors in the call", () => {
    expect(hover("spawnAgent", "call").tags).toEqual(Array(5).fill("throws"));
  });
});

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ");
}
