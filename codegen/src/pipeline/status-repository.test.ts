import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { statusRepository } from "./status-repository.ts";
import { writeSmallRepository } from "./testing/small-repository.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "acp-status-"));
  writeSmallRepository(root);
  for (const file of ["v1/reduce-update.ts", "v2/reduce-update.ts", "shared/reduce-items.ts"]) {
    const path = join(root, "packages/core/src/state", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'switch (update.sessionUpdate) {\n  case "plan":\n}\n');
  }
});

afterEach(() => rmSync(root, { recursive: true }));

async function status(of = root): Promise<{ code: number; out: string; error: string }> {
  const said = { out: "", error: "" };
  const code = await statusRepository(of, {
    out: (text) => void (said.out += text),
    error: (text) => void (said.error += text),
  });
  return { code, ...said };
}

interface Editable {
  readonly $defs: Record<string, { properties: Record<string, object> }>;
}

function editSchemas(version: string, change: (schema: Editable) => void): void {
  for (const name of ["schema.json", "schema.unstable.json"]) {
    const path = join(root, "schema", version, name);
    const schema: Editable = JSON.parse(readFileSync(path, "utf8"));
    change(schema);
    writeFileSync(path, JSON.stringify(schema));
  }
}

function edit(file: string, change: (text: string) => string): void {
  const path = join(root, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

const reference = (name: string): object => ({ $ref: `#/$defs/${name}` });
const variant = (tag: string, payload: string): object => ({
  type: "object",
  properties: { sessionUpdate: { type: "string", const: tag } },
  required: ["sessionUpdate"],
  allOf: [reference(payload)],
});

describe("statusRepository()", () => {
  test("has nothing to list for this repository", async () => {
    const repository = fileURLToPath(new URL("../../../", import.meta.url));
    expect(await status(repository)).toEqual({ code: 0, out: "Nothing is left to write.\n", error: "" });
  });

  test("lists the work left in each file, with a skeleton to fill in", async () => {
    edit("schema/v1/rules.json", (text) => text.replace('"setup"', '"ungated":["plans"],"setup"'));
    edit("schema/v2/rules.json", (text) => text.replace('"setup"', '"ungated":["plans","fs.writeTextFile"],"setup"'));
    editSchemas("v1", ({ $defs }) => {
      const method = { "x-method": "fs/write_text_file", "x-side": "client" };
      const text = { type: "string" };
      const members = { path: text, content: text, plan: reference("Plan"), mode: { type: "string", const: "whole" } };
      const request = { type: "object", properties: members, required: ["path", "content", "mode"], ...method };
      Object.assign($defs, {
        WriteTextFileRequest: request,
        WriteTextFileResponse: { type: "object", properties: {}, ...method },
        Hint: {
          type: "object",
          properties: { text, rank: { type: "integer", minimum: 1 } },
          required: ["text", "rank"],
        },
        SessionUpdate: { oneOf: [variant("plan", "Plan"), variant("hint", "Hint")] },
      });
      $defs["Plan"]!.properties["line"] = { type: "integer" };
    });
    const { code, out, error } = await status();
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toBe(expected);
  });

  test("rejects an invalid capability, and says what to fix first", async () => {
    edit("schema/v1/rules.json", (text) => text.replace('"setup"', '"ungated":["plan"],"setup"'));
    expect(await status()).toEqual({
      code: 1,
      out: "",
      error:
        "schema/v1/rules.json: ungated: neither side advertises plan\nFix this first. Then npm run schema:status lists what is left to write.\n",
    });
  });
});

const expected = `schema/v1/rules.json: 3 left to write

  No rule uses the client's capability fs.writeTextFile. Gate what needs it; if nothing does, list it in "ungated".
    "gates": { "fs/write_text_file": [{ "capability": "fs.writeTextFile" }] }

  These members have the name of one in values.path. Add those that are paths as well.
    "WriteTextFileRequest.path",

  These members have the name of one in values.line. Add those that are lines as well.
    "Plan.line",

schema/v1/prose.md: 5 left to write

  In the section of Plan:
    - \`line\`: …

    ## WriteTextFileRequest

    …

    - \`path\`: …
    - \`content\`: …
    - \`mode\`: …

    ## WriteTextFileResponse

    …

    ## Hint

    …

    - \`text\`: …
    - \`rank\`: …

    ## SessionUpdate

    …

    - \`= hint\`: …

schema/v1/examples: 3 left to write

    {
      "method": "fs/write_text_file",
      "params": {
        "path": "…",
        "content": "…",
        "mode": "whole"
      },
      "result": {}
    },

    {"definition":"SessionUpdate","value":{"sessionUpdate":"plan"}},

    {
      "definition": "SessionUpdate",
      "value": {
        "sessionUpdate": "hint",
        "text": "…",
        "rank": 1
      }
    },

packages/core/src/state/v1/reduce-update.ts: 1 left to write

    case "hint":
      return { ...state, … };
`;
