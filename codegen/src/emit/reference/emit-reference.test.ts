import { describe, expect, test } from "vitest";
import { readModel } from "../../model/read-model.ts";
import type { JsonSchema } from "../../model/schema-document.ts";
import { readSchema, schemaNames } from "../../testing/index.ts";
import { emitReference, emitReferenceIndex } from "./index.ts";
import { slug } from "./markdown.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

const definitions: Record<string, JsonSchema> = {
  PingRequest: {
    type: "object",
    description: "Asks for a `Reason`. See `ping/done`.",
    properties: {
      id: { allOf: [ref("Id")], description: "First\n\nsecond | third." },
      tries: { type: ["integer", "null"], format: "uint32", default: 3, "x-deserialize-default-on-error": true },
    },
    required: ["id"],
    "x-method": "ping",
    "x-side": "agent",
  },
  PingResponse: { type: "object", properties: { why: ref("Reason") }, "x-method": "ping", "x-side": "agent" },
  DoneNotification: {
    type: "object",
    properties: { _meta: { type: "object", additionalProperties: true, description: "Anything." } },
    "x-method": "ping/done",
    "x-side": "client",
  },
  Id: { type: "string", description: "Names a thing." },
  Reason: {
    anyOf: [
      { type: "string", const: "a", description: "So." },
      { title: "other", type: "string" },
    ],
  },
  SessionUpdate: {
    oneOf: [
      { type: "object", properties: { is: { type: "string", const: "text" } }, required: ["is"], allOf: [ref("Text")] },
      { type: "object", properties: { is: { type: "string", const: "end" } }, required: ["is"] },
    ],
  },
  Text: {
    type: "object",
    properties: { text: { type: "string" }, currency: { type: "string", pattern: "^[A-Z]{3}$", deprecated: true } },
    required: ["text"],
  },
  Outcome: {
    anyOf: [
      { type: "object", properties: { result: {}, at: { type: "string" } }, required: ["result"] },
      { type: "object", properties: { error: ref("Id") }, required: ["error"] },
    ],
  },
  PingCapabilities: { type: "object", properties: { fast: { type: "boolean" } } },
  AgentCapabilities: {
    type: "object",
    properties: { ping: { anyOf: [ref("PingCapabilities"), { type: "null" }] }, reason: ref("Reason") },
  },
};

const model = readModel({ $defs: definitions });
const pages = emitReference(model, { folder: "v9", title: "Version 9" });

const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => slug(title!));

/** What every link in the pages points to, against the anchors that the headings give. */
function brokenLinks(all: Readonly<Record<string, string>>): readonly string[] {
  const anchors = new Map(Object.entries(all).map(([file, text]) => [file, anchorsOf(text)]));
  return Object.entries(all).flatMap(([file, text]) =>
    [...text.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([link, path, anchor]) => {
      const target = new URL(path!, `file:///${file}`).pathname.slice(1);
      const found = anchors.get(target);
      return found === undefined || (anchor !== undefined && !found.includes(anchor)) ? [`${file}: ${link}`] : [];
    }),
  );
}

describe("emitReference()", () => {
  test("puts definitions on pages by theme", () => {
    expect(Object.keys(pages)).toEqual([
      "v9/index.md",
      "v9/methods.md",
      "v9/updates.md",
      "v9/capabilities.md",
      "v9/types.md",
    ]);
    expect(pages["v9/updates.md"]).toContain("## Text\n");
    expect(pages["v9/types.md"]).toContain("## Reason\n");
    expect(pages["v9/updates.md"]).toContain("| `currency` | string (`^[A-Z]{3}$`) | no | Deprecated. |");
  });

  test("describes a method with its params and result", () => {
    expect(pages["v9/methods.md"]).toContain(
      `## ping

- Direction: client to agent
- Kind: request

### PingRequest

Asks for a [\`Reason\`](types.md#reason). See [\`ping/done\`](methods.md#pingdone).

| Member | Type | Required | Meaning |
| --- | --- | --- | --- |
| \`id\` | [\`Id\`](types.md#id) | yes | First<br>second \\| third. |
| \`tries\` | integer (uint32) or null | no | Default: \`3\`. |

### PingResponse

| Member | Type | Required | Meaning |
| --- | --- | --- | --- |
| \`why\` | [\`Reason\`](types.md#reason) | no |  |`,
    );
  });

  test("describes members of all objects once", () => {
    expect(pages["v9/index.md"]).toContain("Nearly every object may also have `_meta`: Anything.");
    expect(pages["v9/methods.md"]).toContain("### DoneNotification\n\nNo members of its own.");
  });

  test("describes unions and enums, and names the open ones", () => {
    expect(pages["v9/updates.md"]).toContain(
      `| \`is\` | Members | Meaning |
| --- | --- | --- |
| \`text\` | those of [\`Text\`](updates.md#text) |  |
| \`end\` | none |  |`,
    );
    expect(pages["v9/updates.md"]).not.toContain("must expect");
    expect(pages["v9/types.md"]).toContain("- object with `result`: any JSON\n- object with `error`: [`Id`]");
    expect(pages["v9/types.md"]).toContain("| `a` | So. |\n\nA receiver must expect other strings too.");
  });

  test("names the requirements of a method and a variant", () => {
    const gate = { kind: "capability", path: ["ping", "fast"], value: "boolean" } as const;
    const gated = emitReference(
      {
        ...model,
        methods: model.methods.map((method) => (method.name === "ping" ? { ...method, gates: [gate] } : method)),
        variantGates: [{ union: "SessionUpdate", tag: "text", sender: "agent", gate }],
        openUnions: ["SessionUpdate"],
      },
      { folder: "v9", title: "Version 9" },
    );
    expect(gated["v9/methods.md"]).toContain("- Requires: the agent capability `ping.fast` (`true`)");
    expect(gated["v9/updates.md"]).toContain("| Requires the client capability `ping.fast` (`true`). |");
    expect(gated["v9/capabilities.md"]).toContain(
      `## Capabilities of the agent

Absent, null and false mean that the capability is not supported.

| Capability | Advertise with | Allows |
| --- | --- | --- |
| \`ping\` | \`{}\` |  |
| \`ping.fast\` | \`true\` | [\`ping\`](methods.md#ping) |`,
    );
    expect(gated["v9/updates.md"]).toContain("A receiver must expect other kinds too.");
  });

  test("marks additions to the stable schema", () => {
    const { Text: _, ...without } = definitions;
    const [text, end] = definitions["SessionUpdate"]!.oneOf!;
    const stable = readModel({
      $defs: { ...without, SessionUpdate: { oneOf: [end!] }, PingCapabilities: { type: "object", properties: {} } },
    });
    const marked = emitReference(model, { folder: "v9", title: "Version 9", stable });
    expect(text).toBeDefined();
    expect(marked["v9/updates.md"]).toContain("## Text\n\n*Unstable.*");
    expect(marked["v9/updates.md"]).toMatch(/\| `text` \| .* \| \*Unstable\.\* \|/);
    expect(marked["v9/capabilities.md"]).toMatch(/\| `fast` \| boolean \| no \| \*Unstable\.\* \|/);
    expect(marked["v9/types.md"]).not.toContain("Unstable");
  });

  test("starts with the introduction, and shows examples of messages", () => {
    const [ping, done] = model.methods;
    const source = "x.json[0]";
    const shown = emitReference(model, {
      folder: "v9",
      title: "Version 9",
      introduction: "First comes `ping`.\n",
      examples: {
        methods: new Map([
          [ping!, [{ method: "ping", title: "all is well", params: { id: "a" }, result: {}, source }]],
          [done!, [{ method: "ping/done", params: {}, source }]],
        ]),
        definitions: new Map([["Text", [{ definition: "SessionUpdate", value: { is: "text", text: "Hi" }, source }]]]),
      },
    });
    expect(shown["v9/index.md"]).toContain("# Version 9\n\nFirst comes [`ping`](methods.md#ping).\n\n");
    expect(shown["v9/methods.md"]).toContain(
      `Example: all is well

\`\`\`json
{ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "id": "a" } }
\`\`\`

The response:

\`\`\`json
{ "jsonrpc": "2.0", "id": 1, "result": {} }
\`\`\``,
    );
    expect(shown["v9/methods.md"]).toContain(
      'Example:\n\n```json\n{ "jsonrpc": "2.0", "method": "ping/done", "params": {} }\n```',
    );
    expect(shown["v9/updates.md"]).toContain('Example:\n\n```json\n{ "is": "text", "text": "Hi" }\n```');
    expect(pages["v9/methods.md"]).not.toContain("Example");
  });

  test("links only to existing definitions", () => {
    const options = { folder: "v9", title: "Version 9" };
    expect(brokenLinks({ ...emitReferenceIndex([options]), ...pages })).toEqual([]);
    expect(brokenLinks({ "v9/index.md": pages["v9/index.md"]! })).not.toEqual([]);
  });

  test.each(schemaNames)("gives %s headings that do not collide and links that resolve", (name) => {
    const options = { folder: name.replace("/", "-"), title: name };
    const all = { ...emitReference(readModel(readSchema(name)), options), ...emitReferenceIndex([options]) };
    expect(brokenLinks(all)).toEqual([]);
    for (const text of Object.values(all)) expect(new Set(anchorsOf(text)).size).toBe(anchorsOf(text).length);
  });

  test("gives the same pages for the same model", () => {
    expect(emitReference(readModel({ $defs: definitions }), { folder: "v9", title: "Version 9" })).toEqual(pages);
  });
});
