import { agentTable, clientTable } from "@acp/schema/v1";
import { clientTable as unstableTable } from "@acp/schema/v1/unstable";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../base/errors.ts";
import { deriveCapabilities } from "./capabilities.ts";

const client = (methods: readonly string[], declared: object = {}) =>
  deriveCapabilities(clientTable, new Set(methods), declared);
const agent = (methods: readonly string[], declared: object = {}) =>
  deriveCapabilities(agentTable, new Set(["session/new", "session/prompt", ...methods]), declared);

describe("deriveCapabilities()", () => {
  it("merges capabilities of handlers with declared ones, and leaves those unchanged", () => {
    const declared = { fs: { _meta: { of: "mine" } }, elicitation: { url: {} } };
    expect(client(["fs/read_text_file", "elicitation/create"], declared)).toEqual({
      fs: { _meta: { of: "mine" }, readTextFile: true },
      elicitation: { url: {} },
    });
    expect(declared.fs).toEqual({ _meta: { of: "mine" } });
    const handled = ["session/load", "session/close", "session/resume"];
    expect(agent(handled, { sessionCapabilities: { close: { _meta: {} } } })).toEqual({
      loadSession: true,
      sessionCapabilities: { close: { _meta: {} }, resume: {} },
    });
    expect(client(["fs/read_text_file"])).toEqual({ fs: { readTextFile: true } });
  });

  it("advertises nothing for a handler that only its caller advertises", () => {
    expect(deriveCapabilities(unstableTable, new Set(["mcp/message"]), {})).toEqual({});
  });

  it.each<[() => object, string]>([
    [
      () => client(["fs/read_text_file"], { fs: { readTextFile: false } }),
      "The capability fs.readTextFile is declared unsupported, but fs/read_text_file has a handler",
    ],
    [
      () => agent(["session/close"], { sessionCapabilities: { close: null } }),
      "The capability sessionCapabilities.close is declared unsupported, but session/close has a handler",
    ],
    [
      () => agent(["session/close"], { sessionCapabilities: null }),
      "The capability sessionCapabilities.close is declared unsupported, but session/close has a handler",
    ],
    [
      () => client(["elicitation/create"]),
      "The handler for elicitation/create needs elicitation.form or elicitation.url in capabilities",
    ],
    [
      () => client([], { elicitation: { form: {} } }),
      "The capability elicitation.form or elicitation.url is declared, but there is no handler for elicitation/create",
    ],
    [
      () => client(["fs/write_text_file"], { fs: { readTextFile: true } }),
      "The capability fs.readTextFile is declared, but there is no handler for fs/read_text_file",
    ],
    [
      () => client(["terminal/create", "terminal/output", "terminal/kill"]),
      "The capability terminal needs a handler for terminal/release, terminal/wait_for_exit as well",
    ],
  ])("throws for what contradicts: %s", (derive, message) => {
    expect(derive).toThrow(new UsageError(message));
  });
});
