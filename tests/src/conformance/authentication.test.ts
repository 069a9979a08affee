import { readFileSync } from "node:fs";

import { createAgent, createClient } from "@acp/core";
import { unknownVariant } from "@acp/schema";
import type { AuthMethod } from "@acp/schema/v1";
import { describe, expect, test } from "vitest";

import { root } from "./gate/evidence.ts";
import { type RawClient, rawAgent, rawClient } from "./harness/connect.ts";
import { clientWith } from "./harness/definitions.ts";
import { referenceAgent, temporaryDirectory } from "./harness/reference.ts";

const done = { stopReason: "end_turn" } as const;
const setup = { cwd: "/project", mcpServers: [] };
const login: AuthMethod = { id: "token", name: "Token" };
const terminal: AuthMethod = {
  type: "terminal",
  id: "shell",
  name: "In a terminal",
  args: ["--login"],
  env: { A: "1" },
};
const refusal = { reason: "auth_required", authMethods: [login] };

/** An agent with logins that nobody has to use. */
function offering(...authMethods: readonly AuthMethod[]): ReturnType<typeof createAgent> {
  return createAgent({
    info: { name: "agent", version: "1.0.0" },
    authMethods,
    handlers: { "session/prompt": () => done, authenticate: () => ({}) },
  });
}

describe("an agent", () => {
  test("AUTH-01, AUTH-03: lists the ways to log in by id and name, in a terminal where that is possible", async () => {
    for (const [capabilities, expected] of [
      [{}, [login]],
      [{ auth: { terminal: false } }, [login]],
      [{ auth: { terminal: true } }, [login, terminal]],
    ] as const) {
      const peer = await rawClient(offering(login, terminal));
      expect((await peer.initialize(capabilities)).result.authMethods).toEqual(expected);
    }
  });

  test("AUTH-02: handles a login without a type itself, and rejects one of another type", async () => {
    const peer = await rawClient(offering(login, terminal));
    await peer.initialize({ auth: { terminal: true } });
    expect((await peer.call("authenticate", { methodId: "token" })).result).toEqual({});
    expect((await peer.call("authenticate", { methodId: "shell" })).error?.code).toBe(-32602);
  });

  test("AUTH-05: refuses a login that it does not offer", async () => {
    const peer = await rawClient(offering(login));
    await peer.initialize();
    expect((await peer.call("authenticate", { methodId: "other" })).error?.code).toBe(-32602);
  });

  test("AUTH-07, AUTH-08, AUTH-09, AUTH-11, AUTH-18: opens sessions for those only who are logged in", async () => {
    const { peer } = referenceAgent(["--require-login", `${temporaryDirectory()}/login`]);
    const { authMethods } = (await peer.initialize()).result;
    expect(authMethods).toMatchObject([{ id: "guest", name: "As a guest" }]);
    const refused = { code: -32000, message: expect.any(String), data: { reason: "auth_required", authMethods } };
    const opened = (): Promise<Awaited<ReturnType<RawClient["call"]>>> => peer.call("session/new", setup);
    expect((await opened()).error).toEqual(refused);
    expect((await peer.call("authenticate", { methodId: "guest" })).result).toEqual({});
    expect((await opened()).error).toBeUndefined();
    expect((await peer.call("logout", {})).result).toEqual({});
    expect((await opened()).error).toEqual(refused);
  });

  test("AUTH-16: names no command for a terminal login, and none can be written", () => {
    const schema = JSON.parse(readFileSync(`${root}schema/v1/schema.json`, "utf8"));
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
});

describe("a client", () => {
  const offered = { initialize: { protocolVersion: 1, authMethods: [login, terminal] }, authenticate: {} };

  test("AUTH-02: takes a login without a type for one of the agent's, and keeps one of an unknown type", async () => {
    const strange = { id: "odd", name: "Odd", type: "_hologram" };
    const { peer, agent } = await rawAgent(clientWith(), {
      initialize: { protocolVersion: 1, authMethods: [login, strange, terminal] },
      authenticate: {},
    });
    expect(agent.authMethods).toEqual([login, { ...strange, type: unknownVariant, received: strange }, terminal]);
    await agent.authenticate("token");
    await agent.authenticate("odd");
    expect(peer.calls("authenticate").map(({ params }) => params)).toEqual([
      { methodId: "token" },
      { methodId: "odd" },
    ]);
  });

  test("AUTH-05, AUTH-06: logs in by an offered method, and never by one that needs a terminal", async () => {
    const { peer, agent } = await rawAgent(clientWith(), offered);
    for (const wrong of ["other", "shell"]) {
      await expect(agent.authenticate(wrong)).rejects.toMatchObject({ code: "missing_capability" });
      await expect(agent.request("authenticate", { methodId: wrong })).rejects.toThrow();
    }
    await agent.authenticate("token");
    expect(peer.calls("authenticate").map(({ params }) => params)).toEqual([{ methodId: "token" }]);
  });

  test.each([undefined, {}, { auth: {} }, { auth: { logout: null } }])(
    "AUTH-17: does not log out of an agent that advertised %j",
    async (agentCapabilities) => {
      const { peer, agent } = await rawAgent(clientWith(), { initialize: { protocolVersion: 1, agentCapabilities } });
      await expect(agent.request("logout", {})).rejects.toMatchObject({ code: "missing_capability" });
      await peer.settle();
      expect(peer.calls("logout")).toEqual([]);
    },
  );

  test("AUTH-10, AUTH-20: logs in when it is refused, and again after a logout, and then tries once more", async () => {
    const agentCapabilities = { auth: { logout: {} } };
    const { peer, agent } = await rawAgent(
      createClient({ info: { name: "client", version: "1.0.0" }, authenticate: ({ methods }) => methods[0]?.id }),
      {
        initialize: { protocolVersion: 1, agentCapabilities, authMethods: [login] },
        // Answered by hand.
        "session/new": undefined as never,
        authenticate: {},
        logout: {},
      },
    );
    for (const sessionId of ["first", "second"]) {
      const opening = agent.newSession({ cwd: "/project" });
      peer.fail(await peer.next("session/new"), -32_000, "Authentication required", refusal);
      expect((await peer.next("authenticate")).params).toEqual({ methodId: "token" });
      peer.reply(await peer.next("session/new"), { sessionId });
      expect((await opening).id).toBe(sessionId);
      await agent.request("logout", {});
    }
    expect(peer.calls("authenticate")).toHaveLength(2);
  });
});
