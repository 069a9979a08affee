import { createAgent } from "@acp/core";
import type { AuthMethod } from "@acp/schema/v1";
import { definitionNames } from "@acp/validators/v1";
import { expect, test } from "vitest";

import { readFileSync } from "node:fs";

import { root } from "./gate/evidence.ts";
import { rawClient } from "./harness/connect.ts";

const login: AuthMethod = { id: "token", name: "Token" };
const terminal: AuthMethod = {
  type: "terminal",
  id: "shell",
  name: "In a terminal",
  args: ["--login"],
  env: { A: "1" },
};

test("AUTH-01, AUTH-03: an agent tells the ways to log in by id and name, in a terminal where that is possible", async () => {
  for (const [capabilities, expected] of [
    [{}, [login]],
    [{ auth: { terminal: true } }, [login, terminal]],
  ] as const) {
    const peer = await rawClient(
      createAgent({
        info: { name: "agent", version: "1.0.0" },
        authMethods: [login, terminal],
        handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), authenticate: () => ({}) },
      }),
    );
    expect((await peer.initialize(capabilities)).result.authMethods).toEqual(expected);
  }
});

test("AUTH-16: a terminal login has no member for a command, and none can be written", () => {
  const schema = JSON.parse(readFileSync(`${root}schema/v1/schema.json`, "utf8"));
  expect(definitionNames).toContain("AuthMethodTerminal");
  expect(Object.keys(schema.$defs.AuthMethodTerminal.properties).toSorted()).toEqual([
    "_meta",
    "args",
    "description",
    "env",
    "id",
    "name",
  ]);
  // @ts-expect-error: the types know none, either.
  const wrong: AuthMethod = { ...terminal, command: "login" };
  expect(wrong).toBeDefined();
});
