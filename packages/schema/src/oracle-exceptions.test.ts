import { readSchema, rawSchemaOracle, type SchemaName, schemaNames } from "@acp/codegen/testing";
import { describe, expect, test } from "vitest";
import { decodeAs } from "../testing/decoders.ts";

/**
 * Where decoders refuse what the schema accepts. In each case a branch of a union has no tag and so takes, by the
 * letter, what was meant for another branch; reading it so would act on a message that says something else.
 */
interface Exception {
  readonly rule: string;
  readonly definition: string;
  readonly in: readonly SchemaName[];
  readonly because: string;
  readonly message: unknown;
  readonly refusedAt: readonly (string | number)[];
}

const v1: readonly SchemaName[] = ["v1", "v1/unstable"];
const stdio = { name: "files", command: "/bin/files", args: [], env: [] };
const form = { enum: undefined, anyOf: [{ const: "a", title: "A" }] };

const exceptions: readonly Exception[] = [
  {
    rule: "MCP-08/agent",
    definition: "McpServer",
    in: v1,
    because: "an http server without a url is not a command to run",
    message: { ...stdio, type: "http" },
    refusedAt: ["url"],
  },
  {
    rule: "MCP-07/agent",
    definition: "McpServer",
    in: v1,
    because: "a server of an unknown kind is not a command to run",
    message: { ...stdio, type: "_acme" },
    refusedAt: ["type"],
  },
  {
    rule: "a terminal login",
    definition: "AuthMethod",
    in: v1,
    because: "a terminal login with broken arguments is not one that the agent does by itself",
    message: { id: "key", name: "Key", type: "terminal", args: [5] },
    refusedAt: ["args", 0],
  },
  {
    rule: "CONF-13/agent",
    definition: "SetSessionConfigOptionRequest",
    in: v1,
    because: "a boolean option is not set to the name of a choice",
    message: { sessionId: "s", configId: "c", type: "boolean", value: "yes" },
    refusedAt: ["value"],
  },
  {
    rule: "CONF-13/agent",
    definition: "SetSessionConfigOptionRequest",
    in: v1,
    because: "the value of an option of an unknown kind is not the name of a choice",
    message: { sessionId: "s", configId: "c", type: "_acme", value: "yes" },
    refusedAt: ["type"],
  },
  {
    rule: "ELIC-31/client",
    definition: "MultiSelectItems",
    in: schemaNames,
    because: "items of the type string have their values in enum",
    message: { ...form, type: "string" },
    refusedAt: ["enum"],
  },
  {
    rule: "ELIC-31/client",
    definition: "MultiSelectItems",
    in: schemaNames,
    because: "a type is a string",
    message: { ...form, type: 5 },
    refusedAt: ["type"],
  },
];

describe.each(schemaNames)("%s", (name) => {
  const oracle = rawSchemaOracle(readSchema(name));

  test.each(exceptions.filter((exception) => exception.in.includes(name)))(
    "$rule: a $definition that the schema accepts is refused at $refusedAt: $because",
    ({ definition, message, refusedAt }) => {
      const received: unknown = JSON.parse(JSON.stringify(message));
      expect(oracle.errors(definition, received)).toEqual([]);
      expect(decodeAs(name, definition, received)).toMatchObject({ ok: false, path: refusedAt });
    },
  );
});

describe("the branch without a tag", () => {
  test.each([
    ["McpServer", { ...stdio }],
    ["McpServer", { ...stdio, type: "stdio" }],
    ["McpServer", { ...stdio, type: null }],
    ["AuthMethod", { id: "key", name: "Key", type: "agent" }],
    ["SetSessionConfigOptionRequest", { sessionId: "s", configId: "c", type: "value_id", value: "yes" }],
  ])("of %s takes a message without a tag, or with its own name in it: %j", (definition, message) => {
    const decoded = decodeAs("v1", definition, message);
    expect(decoded).toEqual({ ok: true, value: message, issues: [] });
  });
});

describe("a default", () => {
  test("is left to the application when its member is absent, so that the message stays the same object", () => {
    const message = { protocolVersion: 1 };
    const decoded = decodeAs("v1", "InitializeRequest", message);
    expect(decoded.ok && decoded.value).toBe(message);
  });
});
