import { existsSync } from "node:fs";
import { applyEdits, modify } from "jsonc-parser";
import { isPlainObject, parseJson } from "../model/schema-document.ts";
import { writeTogether } from "../pipeline/output.ts";
import { configName, readText } from "./binding.ts";
import { type InitValues, type Output, UsageError } from "./command-line.ts";

/** What `init` adds to the scripts of a project. */
const scripts: Readonly<Record<string, string>> = {
  bindings: "acp-codegen generate",
  "bindings:check": "acp-codegen generate --check",
};

const search = { "x-method": "_acme/search", "x-side": "agent", type: "object" };
const progress = { "x-method": "_acme/progress", "x-side": "client", type: "object" };

/** A request that an agent handles, and a notification that a client receives. */
const exampleSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $defs: {
    AcmeSearchRequest: {
      ...search,
      description: "Searches what the agent knows.",
      properties: {
        query: { type: "string", minLength: 1, description: "What to look for." },
        limit: { type: "integer", minimum: 1, description: "How many hits are wanted. Absent means 1." },
      },
      required: ["query"],
    },
    AcmeSearchResponse: {
      ...search,
      description: "What was found.",
      properties: { hits: { type: "array", items: { type: "string" }, description: "The best hit comes first." } },
      required: ["hits"],
    },
    AcmeProgressNotification: {
      ...progress,
      description: "How far a search is.",
      properties: { percent: { type: "integer", minimum: 0, maximum: 100, description: "0 to 100." } },
      required: ["percent"],
    },
  },
};

/** `acp-codegen init`: a config, a schema to start from, and scripts. Never changes what is there already. */
export async function initCommand(values: InitValues, output: Output): Promise<number> {
  const { schema = "acme.schema.json", out = "src/acme" } = values;
  const manifest = await readText("package.json", "run npm init first");
  const files = new Map([[configName, toJson({ schema, out })]]);
  if (values.schema === undefined) files.set(schema, toJson(exampleSchema));
  const known = readScripts(manifest);
  const taken = [
    ...[...files.keys()].filter((path) => existsSync(path)),
    ...Object.keys(scripts)
      .filter((name) => known[name] !== undefined && known[name] !== scripts[name])
      .map((name) => `the script ${name} in package.json`),
  ];
  if (taken.length > 0) {
    throw new UsageError(`there is already ${taken.join(", and ")}; init changes nothing that exists`);
  }
  if (values.schema !== undefined) await readText(values.schema);
  await writeTogether(files.set("package.json", addScripts(manifest)));
  output.out(
    [
      `Written: ${[...files.keys()].filter((path) => path !== "package.json").join(", ")}`,
      `Added to the scripts of package.json: ${Object.keys(scripts).join(", ")}`,
      "",
      `Next: describe your methods in ${schema}, then run npm run bindings.`,
      "The README of @acp/codegen goes on from here.",
      "",
    ].join("\n"),
  );
  return 0;
}

function toJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function readScripts(manifest: string): Readonly<Record<string, unknown>> {
  const parsed = parseJson(manifest, "package.json");
  const known = isPlainObject(parsed) ? parsed["scripts"] : undefined;
  return isPlainObject(known) ? known : {};
}

/** The manifest with the scripts; the rest of it stays as it is written. */
function addScripts(manifest: string): string {
  const indent = /^[ \t]+/m.exec(manifest)?.[0] ?? "  ";
  const formattingOptions = { insertSpaces: !indent.includes("\t"), tabSize: indent.length, eol: "\n" };
  return Object.entries(scripts).reduce(
    (text, [name, script]) => applyEdits(text, modify(text, ["scripts", name], script, { formattingOptions })),
    manifest,
  );
}
