import * as v1 from "@acp/schema/v1";
import * as v1Unstable from "@acp/schema/v1/unstable";
import { decode, type Decoded, type Decoder, formatIssue } from "@acp/schema";
import * as validateV1 from "@acp/validators/v1";
import * as validateV1Unstable from "@acp/validators/v1/unstable";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/**
 * A message, or a part of one, as the protocol's documents show it, and what has to become of it.
 *
 * Those marked `differs` are not what the newest schema says; what decoder and validator make of them is fixed here.
 */
interface Example {
  readonly name: string;
  readonly version: "v1" | "v1/unstable";
  readonly kind:
    | "request"
    | "notification"
    | "result"
    | "error"
    | "definition"
    | "extension request"
    | "extension notification";
  /** The side that sends it. */
  readonly from: "agent" | "client";
  readonly method?: string;
  readonly definition?: string;
  readonly message: { readonly params?: unknown; readonly result?: unknown; readonly error?: unknown };
  readonly differs?: {
    readonly because: string;
    readonly decodes: { readonly refused: string } | { readonly issues: readonly string[] };
    /** Where the validator finds errors. */
    readonly invalidAt: readonly string[];
  };
}

const folder = new URL("../../data/examples/", import.meta.url);
const topics = readdirSync(folder).map((file): { topic: string; examples: readonly Example[] } =>
  JSON.parse(readFileSync(new URL(file, folder), "utf8")),
);

const schemas = { v1, "v1/unstable": v1Unstable };
/** The names are data here, so the validators are called without their types. */
const validators: Record<Example["version"], Record<string, unknown>> = {
  v1: validateV1,
  "v1/unstable": validateV1Unstable,
};

/** The part of the message that a definition describes, its decoder, and how to validate it. */
function subject(example: Example): {
  body: unknown;
  decoder: Decoder<unknown> | undefined;
  validate: [string, string];
} {
  const { version, kind, from, method = "", definition = "", message } = example;
  const schema = schemas[version];
  const receiver = from === "agent" ? schema.clientTable : schema.agentTable;
  switch (kind) {
    case "request":
      return {
        body: message.params,
        decoder: receiver.handles.requests[method]?.params,
        validate: ["validateRequest", method],
      };
    case "notification":
      return {
        body: message.params,
        decoder: receiver.handles.notifications[method]?.params,
        validate: ["validateNotification", method],
      };
    case "result":
      return {
        body: message.result,
        decoder: receiver.calls.requests[method]?.result,
        validate: ["validateResult", method],
      };
    case "error":
      return { body: message.error, decoder: schema.decodeError, validate: ["validate", "Error"] };
    default:
      return { body: message, decoder: decoderNamed(schema, definition), validate: ["validate", definition] };
  }
}

function decoderNamed(schema: object, definition: string): Decoder<unknown> | undefined {
  const decoder: unknown = Reflect.get(schema, `decode${definition}`);
  return typeof decoder === "function"
    ? (value, notes) => Reflect.apply(decoder, undefined, [value, notes])
    : undefined;
}

function validated({ version }: Example, [name, described]: [string, string], body: unknown): validateV1.Validation {
  const validate = validators[version][name];
  if (typeof validate !== "function") throw new Error(`no validator ${name}`);
  return Reflect.apply(validate, undefined, [described, body]);
}

function outcome(decoded: Decoded<unknown>): NonNullable<Example["differs"]>["decodes"] {
  if (!decoded.ok) return { refused: formatIssue(decoded) };
  return { issues: decoded.issues.map((issue) => `${issue.action} ${formatIssue(issue)}`) };
}

describe.each(topics)("the examples of $topic", ({ examples }) => {
  const standard = examples.filter(({ kind }) => !kind.startsWith("extension"));
  const extensions = examples.filter(({ kind }) => kind.startsWith("extension"));

  test.each(standard.filter(({ differs }) => differs === undefined))(
    "$name ($version) is valid and read as it is",
    (example) => {
      const { body, decoder, validate } = subject(example);
      if (decoder === undefined) expect.fail("there is no decoder");
      const decoded = decode(decoder, body);
      expect(decoded).toEqual({ ok: true, value: body, issues: [] });
      expect(decoded.ok && decoded.value).toBe(body);
      expect(validated(example, validate, body)).toEqual({ ok: true });
    },
  );

  test.each(standard.filter(({ differs }) => differs !== undefined))(
    "$name ($version) is not: $differs.because",
    (example) => {
      const { body, decoder, validate } = subject(example);
      if (decoder === undefined) expect.fail("there is no decoder");
      expect(outcome(decode(decoder, body))).toEqual(example.differs?.decodes);
      const checked = validated(example, validate, body);
      expect(checked.ok ? [] : checked.errors.map(({ path }) => path)).toEqual(example.differs?.invalidAt);
    },
  );

  test.each(extensions)("EXT: $name is not a method of the protocol", ({ method = "" }) => {
    expect(method).toMatch(/^_/);
    for (const { handles } of [v1.agentTable, v1.clientTable]) {
      expect(handles.requests[method]).toBeUndefined();
      expect(handles.notifications[method]).toBeUndefined();
    }
  });
});

test("the examples cover every topic", () => {
  expect(topics.flatMap(({ examples }) => examples).length).toBeGreaterThan(90);
});
