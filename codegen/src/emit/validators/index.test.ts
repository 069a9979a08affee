import { describe, expect, test } from "vitest";
import type { SchemaDocument } from "../../model/schema-document.ts";
import { numberFormats, stringFormats } from "../../model/formats.ts";
import { emitValidators } from "./index.ts";

const document: SchemaDocument = {
  $defs: {
    Envelope: { "x-docs-ignore": true, type: "object", properties: { id: { type: "integer" } } },
    PingRequest: {
      type: "object",
      properties: { title: { type: "string", minLength: 1 }, at: { $ref: "#/$defs/At" } },
      required: ["title"],
      "x-method": "ping",
      "x-side": "agent",
    },
    PingResponse: { type: "object", "x-method": "ping", "x-side": "agent" },
    At: { type: "string", format: "uri" },
  },
};

function withDefinition(name: string, definition: object): SchemaDocument {
  return { $defs: { ...document.$defs, [name]: definition } };
}

describe("emitValidators()", () => {
  test("writes functions that check when they are given the formats", async () => {
    const { "validators.js": text = "" } = await emitValidators(document);
    const module: { compile: (runtime: object) => { definitions: Record<string, (value: unknown) => boolean> } } =
      await import(`data:text/javascript,${encodeURIComponent(text)}`);
    const { definitions } = module.compile({
      codePoints: (value: string) => value.length,
      formats: { uri: { validate: (value: string) => value.startsWith("x:") } },
    });
    expect(Object.keys(definitions)).toEqual(["At", "PingRequest", "PingResponse"]);
    expect(definitions["PingRequest"]?.({ title: "t", at: "x:1" })).toBe(true);
    expect(definitions["PingRequest"]?.({ title: "", at: "x:1" })).toBe(false);
    expect(definitions["PingRequest"]?.({ title: "t", at: "y:1" })).toBe(false);
  });

  test("closes unions to members that every object inherits, as to any other", async () => {
    const variant = (tag: string): object => ({
      type: "object",
      properties: { is: { type: "string", const: tag } },
      required: ["is"],
    });
    const notification = { "x-method": "event", "x-side": "agent", oneOf: [variant("a"), variant("b")] };
    const members = { type: "object", properties: { at: { type: "integer" } } };
    const { "validators.js": text = "" } = await emitValidators(
      withDefinition("EventNotification", { ...notification, ...members }),
      { closed: { values: {} } },
    );
    const module: { compile: (runtime: object) => { definitions: Record<string, (value: unknown) => boolean> } } =
      await import(`data:text/javascript,${encodeURIComponent(text)}`);
    const isTaken = module.compile({ codePoints: Number, formats: {} }).definitions["EventNotification"];
    expect(isTaken?.({ is: "a", at: 1 })).toBe(true);
    for (const name of ["other", "toString", "constructor", "__proto__"]) {
      expect(isTaken?.(JSON.parse(`{ "is": "a", "at": 1, "${name}": 1 }`)), name).toBe(false);
    }
  });

  test("writes functions that copy no errors: those of a list would be copied for each of its items", async () => {
    const list = { type: "array", items: { $ref: "#/$defs/PingRequest" } };
    const { "validators.js": text = "" } = await emitValidators(withDefinition("Pings", list));
    expect(text).not.toContain(".concat(");
    const module: {
      compile: (runtime: object) => {
        definitions: Record<string, ((value: unknown) => boolean) & { errors?: readonly { instancePath: string }[] }>;
      };
    } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    const { definitions } = module.compile({
      codePoints: (value: string) => value.length,
      formats: { uri: { validate: () => true } },
    });
    const pings = definitions["Pings"]!;
    expect(pings([{ title: 1 }, { title: "t", at: "x:1" }, { title: 2 }, { title: 3 }])).toBe(false);
    const places = pings.errors?.map(({ instancePath }) => instancePath).filter((path) => path.endsWith("/title"));
    expect(places).toEqual(["/0/title", "/2/title", "/3/title"]);
    expect(definitions["PingRequest"]!({ title: 1 })).toBe(false);
    expect(definitions["PingRequest"]!.errors?.filter(({ instancePath }) => instancePath === "/title")).toHaveLength(1);
  });

  test("writes one module under the given name when there is one schema", async () => {
    const files = await emitValidators(document, { name: "x", types: "./types.js" });
    expect(Object.keys(files)).toEqual(["x.js", "x.d.ts"]);
    expect(files["x.d.ts"]).toContain('import type { Compiled, Runtime } from "./types.js";');
    expect(files["x.d.ts"]).toContain('export type DefinitionName = "At" | "PingRequest" | "PingResponse";');
    expect(files["x.d.ts"]).toContain('export type RequestMethod = "ping";');
    expect(files["x.d.ts"]).toContain("export type NotificationMethod = never;");
    expect(files["x.js"]).toContain('results: {"ping":"PingResponse"}');
  });

  test("needs no other module when it is loaded", async () => {
    const { "validators.js": text = "" } = await emitValidators(document);
    expect(text).not.toMatch(/^import |\brequire\s*\(|\beval\b|new Function|\bprocess\b/m);
  });

  test("emits nothing for keywords that do not restrict values", async () => {
    const told = { examples: ["x:1"], readOnly: true, writeOnly: false, $comment: "for authors" };
    const { At } = document.$defs;
    expect(await emitValidators(withDefinition("At", { ...At, ...told }))).toEqual(await emitValidators(document));
  });

  test("writes the same text when it runs twice", async () => {
    expect(await emitValidators(document)).toEqual(await emitValidators(document));
  });

  test("ignores the order of the definitions", async () => {
    const reversed: SchemaDocument = { $defs: Object.fromEntries(Object.entries(document.$defs).toReversed()) };
    const { "validators.d.ts": declarations } = await emitValidators(reversed);
    expect(declarations).toEqual((await emitValidators(document))["validators.d.ts"]);
  });

  test.each<[string, object, RegExp]>([
    ["a keyword", { type: "string", maxLenght: 1 }, /: the keyword `maxLenght` is unknown; correct it, or call it/],
    [
      "a reference",
      { $ref: "#/$defs/Nowhere" },
      /: refers to Nowhere, which is not defined; define it, or correct the reference$/,
    ],
    ["another file", { $ref: "other.json" }, /"other.json" is not `#\/\$defs\/Name`; move what it refers to/],
    ["a pattern", { type: "string", pattern: "(" }, / at \/pattern: Invalid regular expression/],
    ["a value of a keyword", { type: "string", minLength: -1 }, / at \/minLength: must be >= 0/],
    ["a type", { type: "tuple" }, / at \/type: must be/],
  ])("throws when the schema has %s that is not known", async (_what, definition, message) => {
    const made = emitValidators(withDefinition("New", definition), { strict: true });
    await expect(made).rejects.toThrow(message);
    await expect(made).rejects.toThrow(/^Definition New/);
  });

  test("names the file and all places where it cannot continue", async () => {
    const bad = { type: "object", properties: { a: { pattern: "(" }, b: { typ: "string" } } };
    const made = emitValidators(withDefinition("New", { anyOf: [bad, { $ref: "#/$defs/Gone" }] }), {
      source: "a.json",
      strict: true,
    });
    await expect(made).rejects.toThrow(
      /^a\.json: Definition New at \/anyOf\/0\/properties\/a\/pattern: .*\na\.json: .*\/b: the keyword `typ`.*\na\.json: .*\/anyOf\/1: /,
    );
  });

  test("ignores annotations that it does not know, and reports it", async () => {
    const warnings: string[] = [];
    const { At } = document.$defs;
    const files = await emitValidators(withDefinition("At", { ...At, "x-new-hint": true }), {
      source: "a.json",
      warn: (warning) => warnings.push(warning),
    });
    expect(files).toEqual(await emitValidators(document));
    expect(warnings).toEqual(["a.json: Definition At: the keyword `x-new-hint` is unknown and ignored"]);
  });

  test("takes any value of a format that it does not know, until the runtime has a check of it", async () => {
    const warnings: string[] = [];
    const code = { type: "object", properties: { code: { type: "string", format: "postcode" } } };
    const { "validators.js": text = "" } = await emitValidators(withDefinition("New", code), {
      warn: (warning) => warnings.push(warning),
    });
    const module: {
      compile: (runtime: object) => {
        definitions: Record<string, ((value: unknown) => boolean) & { errors?: object }>;
      };
    } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    const uri = { validate: () => true };
    const free = module.compile({ codePoints: Number, formats: { uri } }).definitions["New"]!;
    const held = module.compile({
      codePoints: Number,
      formats: { uri, postcode: { validate: (value: string) => /^\d{5}$/.test(value) } },
    }).definitions["New"]!;
    expect([free({ code: "here" }), held({ code: "here" }), held({ code: "12345" })]).toEqual([true, false, true]);
    expect(warnings).toEqual([expect.stringMatching(/^Definition New at \/properties\/code: .*"postcode" is unknown/)]);
  });

  test("maps names that types cannot have, as types do", async () => {
    const odd = withDefinition("an-odd name", { type: "string" });
    const { "validators.d.ts": declarations = "" } = await emitValidators(odd);
    expect(declarations).toContain('"AnOddName"');
  });

  test.each([...Object.keys(numberFormats), ...stringFormats])(
    "takes the format %s, as decoders do",
    async (format) => {
      const type = numberFormats[format]?.type ?? "string";
      const { "validators.js": text } = await emitValidators(withDefinition("New", { type, format }));
      expect(text).toMatch(/^export function compile/m);
    },
  );

  test("checks strings against their pattern, and ignores deprecation", async () => {
    const code = { type: "string", pattern: "^[A-Z]{3}$", deprecated: true };
    const { "validators.js": text = "" } = await emitValidators(withDefinition("New", code));
    const module: { compile: (runtime: object) => { definitions: Record<string, (value: unknown) => boolean> } } =
      await import(`data:text/javascript,${encodeURIComponent(text)}`);
    const { definitions } = module.compile({ formats: { uri: { validate: () => true } } });
    expect([definitions["New"]?.("EUR"), definitions["New"]?.("euro")]).toEqual([true, false]);
  });

  test("compares long lists of values without the help of ajv", async () => {
    const values = Array.from({ length: 300 }, (_, index) => `v${index}`);
    await expect(emitValidators(withDefinition("New", { type: "string", enum: values }))).resolves.toBeDefined();
  });

  test("throws when a method could be a request or a notification", async () => {
    await expect(emitValidators(withDefinition("Pong", { type: "object", "x-method": "pong" }))).rejects.toThrow(
      "Definition Pong: it is of pong, and neither",
    );
    await expect(
      emitValidators(withDefinition("OtherPingRequest", { type: "object", "x-method": "ping" })),
    ).rejects.toThrow("ping cannot be: PingRequest is of the same kind");
  });
});
