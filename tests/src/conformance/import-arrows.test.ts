// The linter holds the arrows between the rooms of core, codegen and the programs: a small tree with a forbidden import of each kind
// has to fail.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { root, run } from "../support/packages.ts";

/** From the lowest floor to the highest. Rooms of one floor do not import each other either. */
const houses = {
  "packages/core": [["base"], ["transport"], ["rpc"], ["session"], ["v1", "v2"], ["kit", "state"]],
  "apps/agent": [
    ["model", "login"],
    ["workspace"],
    ["protect"],
    ["tools"],
    ["mcp", "context"],
    ["coder", "without-model"],
    ["program"],
  ],
  codegen: [["model"], ["emit"], ["diff", "prose", "status", "examples", "infer"], ["import"], ["pipeline"], ["cli"]],
  "apps/client": [
    ["text"],
    ["cli"],
    ["protocol"],
    ["agents"],
    ["sessions", "chat"],
    ["exec", "plain", "ui", "doctor", "serve", "record", "replay", "inspect", "completion"],
  ],
};
const rooms = Object.entries(houses).flatMap(([house, floors]) =>
  floors.flatMap((floor, height) => floor.map((room) => ({ house, room, height }))),
);

const oxlint = join(dirname(createRequire(join(root, "package.json")).resolve("oxlint/package.json")), "bin/oxlint");

let tree: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "acp-arrows-"));
  copyFileSync(join(root, ".oxlintrc.json"), join(tree, ".oxlintrc.json"));
  for (const { house, room } of rooms)
    write(`${house}/src/${room}/leaf.ts`, "export const leaf = 1;\nexport type Leaf = 1;\n");
});
afterEach(() => rmSync(tree, { recursive: true }));

function write(file: string, content: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), content);
}

/** The rules that the tree breaks, each with its file. */
async function lint(): Promise<readonly string[]> {
  const output = await run(process.execPath, [oxlint, "--format=json"], tree).catch((error: Error) => error.message);
  const report: { readonly diagnostics: readonly { readonly code: string; readonly filename: string }[] } = JSON.parse(
    output.slice(output.indexOf("{")),
  );
  return report.diagnostics.map(({ code, filename }) => `${code} ${filename.replaceAll("\\", "/")}`).toSorted();
}

const restricted = (file: string): string => `eslint(no-restricted-imports) ${file}`;
const circular = (file: string): string => `import(no-cycle) ${file}`;

test("imports from a room of the same floor or above are refused, those from below are not", async () => {
  const refused: string[] = [];
  for (const from of rooms) {
    for (const to of rooms) {
      if (from === to || from.house !== to.house) continue;
      const files = [`${from.room}/to-${to.room}.ts`, `${from.room}/inner/to-${to.room}.ts`];
      for (const [index, name] of files.entries()) {
        const file = `${from.house}/src/${name}`;
        write(
          file,
          `import type { Leaf } from "${index === 0 ? ".." : "../.."}/${to.room}/leaf.ts";\nexport type Own = Leaf;\n`,
        );
        // Lines print the model of the user interface.
        const isModel = from.room === "plain" && to.room === "ui";
        if (to.height >= from.height && !isModel) refused.push(restricted(file));
      }
    }
  }
  expect(await lint()).toEqual(refused.toSorted());
});

test("a circle is refused", async () => {
  write("packages/core/src/kit/one.ts", 'import { two } from "./two.ts";\nexport const one = (): number => two();\n');
  write("packages/core/src/kit/two.ts", 'import { one } from "./one.ts";\nexport const two = (): number => one();\n');
  expect(await lint()).toEqual(["one", "two"].map((name) => circular(`packages/core/src/kit/${name}.ts`)));
});

test("a circle of types is refused", async () => {
  write(
    "packages/core/src/v1/one.ts",
    'import type { Two } from "./two.ts";\nexport interface One {\n  two: Two;\n}\n',
  );
  write(
    "packages/core/src/v1/two.ts",
    'import type { One } from "./one.ts";\nexport interface Two {\n  one: One;\n}\n',
  );
  expect(await lint()).toEqual(["one", "two"].map((name) => circular(`packages/core/src/v1/${name}.ts`)));
});

test.each([
  ["session", "@acp/schema/v1/types"],
  ["session", "@acp/schema/v2"],
  ["rpc", "@acp/schema/v1"],
  ["v1", "@acp/schema/v2/types"],
  ["v2", "@acp/schema/v1/types"],
])("%s may not import %s", async (room, entry) => {
  const file = `packages/core/src/${room}/tables.ts`;
  write(file, `import type { Text } from "${entry}";\nexport type Own = Text;\n`);
  expect(await lint()).toEqual([restricted(file)]);
});

test("a package may not import the files of another, and a program nothing internal", async () => {
  write("packages/http/src/files.ts", 'export { isObject } from "../../core/src/base/values.ts";\n');
  write("packages/http/src/entry.ts", 'export { isObject } from "@acp/core/internal";\n');
  const programs = ["apps/agent/src/entry.ts", "apps/client/src/cli/entry.ts", "apps/client/src/ui/view/entry.ts"];
  for (const file of programs) write(file, 'export { isObject } from "@acp/core/internal";\n');
  // How to write a file is not about the protocol.
  write("apps/client/src/agents/files.ts", 'export { takeLock } from "@acp/sessions/internal";\n');
  expect(await lint()).toEqual([...programs, "packages/http/src/files.ts"].map(restricted));
});
