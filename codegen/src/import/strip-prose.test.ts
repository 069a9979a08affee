import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseSchemaDocument } from "../model/schema-document.ts";
import { formatDocument, stripProse } from "./strip-prose.ts";

const { resolve } = createRequire(import.meta.url);
const ours = fileURLToPath(new URL("../../../schema", import.meta.url));

/** Prose is a description that is text: members called `description` have a schema, never a text, for a value. */
function withoutTexts(text: string): unknown {
  return JSON.parse(text, function (this: unknown, key, value: unknown) {
    return key === "description" && typeof value === "string" ? undefined : value;
  });
}

describe("stripProse()", () => {
  test("drops descriptions of schemas and keeps members and data of that name", () => {
    const document = parseSchemaDocument(
      JSON.stringify({
        description: "gone",
        $defs: {
          description: { type: "object", description: "gone" },
          X: {
            properties: {
              description: { type: "string", description: "gone" },
              properties: { type: "object", properties: { description: {} } },
            },
            required: ["description"],
            default: { description: "stays" },
            anyOf: [{ const: { description: "stays" }, description: "gone" }],
          },
        },
      }),
      "test",
    );
    expect(stripProse(document)).toEqual({
      $defs: {
        description: { type: "object" },
        X: {
          properties: {
            description: { type: "string" },
            properties: { type: "object", properties: { description: {} } },
          },
          required: ["description"],
          default: { description: "stays" },
          anyOf: [{ const: { description: "stays" } }],
        },
      },
    });
  });
});

describe("the schemas of this repository", () => {
  test.each(["v1/schema.json", "v1/schema.unstable.json", "v2/schema.json", "v2/schema.unstable.json"])(
    "%s has the structure of the pinned upstream schema, in its order, and none of its prose",
    (path) => {
      const theirs = readFileSync(resolve(`@agentclientprotocol/sdk/schema/${path}`), "utf8");
      const text = readFileSync(join(ours, path), "utf8");
      // Not the texts themselves: a difference would be told as a line of 100 kB.
      const isSame =
        JSON.stringify(JSON.parse(text)) === JSON.stringify(withoutTexts(theirs)) &&
        text === formatDocument(stripProse(parseSchemaDocument(theirs, path)));
      const hint = "pin the version of @agentclientprotocol/sdk that has it (pnpm-workspace.yaml), or import it again";
      expect(isSame, `schema/${path} is not that of the pinned package: ${hint}`).toBe(true);
      expect(theirs.length).toBeGreaterThan(JSON.stringify(JSON.parse(text)).length);
    },
  );
});
