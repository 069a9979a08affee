import { describe, expect, test } from "vitest";
import { emitTypes } from "./index.ts";
import { readModel } from "../../model/read-model.ts";
import type { JsonSchema } from "../../model/schema-document.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const other = (tag: string, ...known: readonly string[]): JsonSchema => ({
  title: "other",
  type: "object",
  properties: { [tag]: { type: "string" } },
  required: [tag],
  not: { anyOf: known.map((value) => ({ properties: { [tag]: { const: value } }, required: [tag] })) },
});
const meta: JsonSchema = { type: ["object", "null"], additionalProperties: true };

async function emit(
  definitions: Record<string, JsonSchema>,
  openUnions: readonly string[] = [],
): Promise<{ types: string; received: string }> {
  const emitted = await emitTypes(
    { ...readModel({ $defs: definitions }), openUnions },
    { decodingModule: "./decoding.ts" },
  );
  return { types: body(emitted["types.ts"]), received: body(emitted["received.ts"]) };
}

const body = (code: string): string => code.slice(code.indexOf("\n") + 1).trim();

describe("emitTypes() types.ts", () => {
  test("closes objects, keeps free maps and tells null from absent", async () => {
    const { types } = await emit({
      Thing: {
        type: "object",
        properties: {
          name: { type: "string" },
          size: { type: ["integer", "null"], format: "uint64" },
          env: { type: "object", additionalProperties: { type: "string" } },
          raw: {},
          _meta: meta,
        },
        required: ["name"],
      },
      Free: { type: "object" },
    });
    expect(types).toBe(
      `export interface Thing {
  name: string;
  size?: number | null;
  env?: Record<string, string>;
  raw?: unknown;
  _meta?: Record<string, unknown> | null;
}

export type Free = Record<string, unknown>;`,
    );
  });

  test("drops titles but keeps a member named title", async () => {
    const { types } = await emit({
      Thing: { title: "A thing", type: "object", properties: { title: { title: "Its title", type: "string" } } },
    });
    expect(types).toBe("export interface Thing {\n  title?: string;\n}");
  });

  test("handles members named like schema keywords", async () => {
    const { types } = await emit({
      Form: {
        type: "object",
        properties: {
          enum: { type: "array", items: { type: "string" } },
          oneOf: { type: "array", items: ref("Id") },
          const: { type: "string" },
          properties: { type: "object", additionalProperties: ref("Id") },
          required: { type: "boolean" },
          not: { type: "boolean" },
          $ref: { type: "string" },
        },
        required: ["const"],
      },
      Id: { type: "string" },
    });
    expect(types).toContain(
      `export interface Form {
  enum?: string[];
  oneOf?: Id[];
  const: string;
  properties?: Record<string, Id>;
  required?: boolean;
  not?: boolean;
  $ref?: string;
}`,
    );
  });

  test("keeps open enums completable and closed enums closed", async () => {
    const { types } = await emit({
      Open: { anyOf: [{ const: "a" }, { const: "b" }, { title: "other", type: "string" }] },
      Closed: { oneOf: [{ const: "a" }, { const: "b" }] },
      Code: { anyOf: [{ const: -1 }, { title: "Other", type: "integer" }] },
    });
    expect(types).toBe(
      [
        `export type Open = "a" | "b" | (string & {});`,
        `export type Closed = "a" | "b";`,
        `export type Code = -1 | (number & {});`,
      ].join("\n\n"),
    );
  });

  test("drops the branch for unknown variants and moves sibling members of a union into its branches", async () => {
    const { types } = await emit({
      Option: {
        type: "object",
        properties: { id: { type: "string" }, kind: { type: ["string", "null"] } },
        required: ["id"],
        anyOf: [
          { type: "object", properties: { kind: { const: "a" } }, required: ["kind"], allOf: [ref("Payload")] },
          { type: "object", properties: { kind: { const: "b" } }, required: ["kind"] },
          other("kind", "a", "b"),
        ],
      },
      Payload: { type: "object", properties: { x: { type: "number" } } },
    });
    expect(types).toContain(`export type Option = ({ kind: "a"; id: string } & Payload) | { kind: "b"; id: string };`);
  });

  test("gives the variant without a tag an optional one", async () => {
    const { types } = await emit({
      Server: {
        anyOf: [
          { type: "object", properties: { type: { const: "http" } }, required: ["type"], allOf: [ref("Http")] },
          { title: "stdio", allOf: [ref("Stdio")] },
        ],
      },
      Http: { type: "object", properties: { url: { type: "string" } } },
      Stdio: { type: "object", properties: { command: { type: "string" } } },
    });
    expect(types).toContain(`export type Server = ({ type: "http" } & Http) | ({ type?: "stdio" } & Stdio);`);
  });

  test("gives the variant without a tag only null where any string is a tag", async () => {
    const { types } = await emit({
      Items: {
        anyOf: [
          { type: "object", properties: { type: { const: "a" } }, required: ["type"] },
          other("type", "a"),
          { title: "titled", type: "object", properties: { x: { type: "string" } } },
        ],
      },
    });
    expect(types).toBe(`export type Items = { type: "a" } | { type?: null; x?: string };`);
  });

  test("leaves out definitions that only group messages", async () => {
    const { types, received } = await emit({ Envelope: { type: "object", "x-docs-ignore": true } });
    expect(types).toBe("");
    expect(received).toBe("");
  });

  test("puts descriptions on definitions, members and tags, and lists the values of enums", async () => {
    const { types } = await emit({
      Update: {
        description: "What happened.",
        oneOf: [
          { type: "object", description: "It began.", properties: { is: { const: "start" } }, required: ["is"] },
          {
            type: "object",
            properties: { is: { const: "end" }, at: { type: "integer", default: 0 } },
            required: ["is"],
          },
        ],
      },
      Reason: { description: "Why.", oneOf: [{ const: "done", description: "It is done." }, { const: "lost" }] },
    });
    expect(types).toBe(
      `/** What happened. */
export type Update =
  | {
      /** It began. */
      is: "start";
    }
  | {
      is: "end";
      /** @default 0 */
      at?: number;
    };

/**
 * Why.
 *
 * - \`done\`: It is done.
 */
export type Reason = "done" | "lost";`,
    );
  });

  test("marks deprecated members", async () => {
    const { types } = await emit({
      Thing: { type: "object", properties: { old: { type: "string", description: "Once.", deprecated: true } } },
    });
    expect(types).toContain("   * Once.\n   *\n   * @deprecated\n   */\n  old?: string;");
  });

  test("skips constraints that types cannot express", async () => {
    const odd: JsonSchema = {
      type: "object",
      properties: { a: { type: "array", items: { type: "string", not: { const: "no" } } } },
    };
    expect((await emit({ Odd: odd })).types).toBe("export interface Odd {\n  a?: string[];\n}");
  });

  test("moves sibling members of a union into the branches of a nested union", async () => {
    const inner: JsonSchema = { anyOf: [{ type: "object", properties: { a: {} } }, { type: "string" }] };
    const outer: JsonSchema = { type: "object", properties: { id: { type: "string" } }, anyOf: [ref("Id"), inner] };
    expect((await emit({ Odd: outer, Id: { type: "object", properties: {} } })).types).toContain(
      "export type Odd = ({ id?: string } & Id) | ({ id?: string } & ({ a?: unknown } | string));",
    );
  });

  test("throws when openUnions names no tagged union", async () => {
    await expect(emit({ Id: { type: "string" } }, ["Id"])).rejects.toThrow(/Id/);
  });
});

const session: Record<string, JsonSchema> = {
  Notification: { type: "object", properties: { update: ref("Update"), id: ref("Id") }, required: ["update", "id"] },
  Update: {
    oneOf: [
      { type: "object", properties: { is: { const: "text" } }, required: ["is"], allOf: [ref("Text")] },
      { type: "object", properties: { is: { const: "end" } }, required: ["is"] },
    ],
  },
  Text: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  Id: { type: "string" },
};

describe("emitTypes() received.ts", () => {
  test("declares types that reach an open union and re-exports the rest", async () => {
    const { received } = await emit(session, ["Update"]);
    expect(received).toBe(
      `import type { UnknownVariant } from "./decoding.ts";

import type {
  Id,
  Text,
} from "./types.ts";

export type {
  Id,
  Text,
} from "./types.ts";

export interface Notification {
  update: Update;
  id: Id;
}

export type Update = ({ is: "text" } & Text) | { is: "end" } | UnknownVariant<"is">;`,
    );
  });

  test("gives an unknown variant the optional sibling members, as decoders do, but not the required ones", async () => {
    const { received } = await emit(
      {
        Update: {
          type: "object",
          properties: { at: { type: "string" }, note: { type: "string" } },
          required: ["at"],
          oneOf: [{ type: "object", properties: { is: { const: "end" } }, required: ["is"] }],
        },
      },
      ["Update"],
    );
    expect(received).toContain('| (UnknownVariant<"is"> & { note?: string })');
  });

  test("re-exports everything when nothing is open", async () => {
    const { received } = await emit(session);
    expect(received).toBe('export type {\n  Id,\n  Notification,\n  Text,\n  Update,\n} from "./types.ts";');
  });
});
