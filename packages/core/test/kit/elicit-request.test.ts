// Questions that belong to a request: there is no session yet, or it is none of the session's business.
import { describe, expect, it } from "vitest";
import type { AgentRequestContext } from "../../src/v1/index.ts";
import { elicitForm, elicitUrl } from "../../src/kit/v1/entry.ts";
import { createRawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import type { ClientContext } from "../../src/v1/client-handlers.ts";
import { connect } from "../../src/kit/v1/testing/connected.ts";

const capabilities = { elicitation: { form: {}, url: {} } };
const authMethods = [{ id: "oauth", name: "Sign in" }];
const login = { message: "Sign in", url: "https://login.test/", elicitationId: "1" };
const form = { message: "Who?", schema: { properties: { name: { type: "string" } }, required: ["name"] } } as const;

describe("elicitForm() and elicitUrl() with the context of a request", () => {
  it("ask while a client logs in, and report when that is done (ELIC-05, ELIC-19)", async () => {
    const seen: unknown[] = [];
    const ids: unknown[] = [];
    const client = {
      "elicitation/create": (params: object, { session }: ClientContext) => {
        seen.push({ ...params, session });
        return { action: "accept", content: { name: "Ada" } };
      },
      "elicitation/complete": (params: object) => void seen.push(params),
    };
    const handlers = {
      authenticate: async (_params: unknown, context: AgentRequestContext) => {
        ids.push(context.requestId);
        const answer = await elicitUrl(context, login);
        if (answer.action === "accept") await answer.complete();
        expect(await elicitForm(context, form)).toEqual({ action: "accept", content: { name: "Ada" } });
      },
    };
    const { agent } = await connect({ client, capabilities, handlers, agent: { authMethods } });
    await agent.authenticate("oauth");
    const requestId = ids[0];
    expect(requestId).toBeTypeOf("number");
    expect(seen).toEqual([
      { mode: "url", ...login, requestId, session: undefined },
      { elicitationId: "1" },
      { mode: "form", message: "Who?", requestedSchema: { type: "object", ...form.schema }, requestId },
    ]);
  });

  it("ask before a session is there", async () => {
    const seen: object[] = [];
    const client = {
      "elicitation/create": (params: object) => {
        seen.push(params);
        return { action: "accept", content: { name: "project" } };
      },
    };
    const handlers = {
      "session/new": async (_params: unknown, context: AgentRequestContext) => {
        const answer = await elicitForm(context, form);
        return { sessionId: answer.action === "accept" ? answer.content.name : "nobody" };
      },
    };
    const { session } = await connect({ client, capabilities, handlers });
    expect(session.id).toBe("project");
    expect(seen).toMatchObject([{ requestId: expect.any(Number) }]);
    expect(seen[0]).not.toHaveProperty("sessionId");
  });

  it("end with the request that is cancelled", async () => {
    const taken: unknown[] = [];
    let ask = (): void => {};
    const isAsked = new Promise<void>((resolve) => (ask = resolve));
    const client = {
      "elicitation/create": (_params: object, { signal }: ClientContext) =>
        new Promise(() => {
          signal.addEventListener("abort", () => taken.push("question"));
          ask();
        }),
    };
    const handlers = {
      authenticate: async (_params: unknown, context: AgentRequestContext) => {
        const asking = elicitUrl(context, login);
        await asking.catch((error: unknown) => taken.push(error === context.signal.reason));
        await expect(elicitUrl(context, login)).rejects.toBe(context.signal.reason);
        taken.push("request");
      },
    };
    const { agent } = await connect({ client, capabilities, handlers, agent: { authMethods } });
    const given = new AbortController();
    const authenticating = agent.authenticate("oauth", { signal: given.signal });
    authenticating.catch(() => {});
    await isAsked;
    given.abort(new Error("closed the dialog"));
    await expect(authenticating).rejects.toThrow("closed the dialog");
    await expect.poll(() => taken).toEqual(["question", true, "request"]);
  });

  it.each(["log-in/1", 1.5, 0, null])("name the request by its id as it came: %j", async (id) => {
    const agent = createAgent({
      info: { name: "test", version: "1.0.0" },
      authMethods,
      handlers: {
        authenticate: async (_params, context) => {
          // Copied members, as a handler of a handler may have them.
          const { client, requestId, signal } = context;
          await elicitUrl({ client, requestId, signal }, login);
        },
        "session/prompt": () => ({ stopReason: "end_turn" }),
      },
    });
    const peer = createRawPeer((transport) => agent.connect(transport));
    await peer.call("initialize", { protocolVersion: 1, clientCapabilities: capabilities });
    peer.send({ jsonrpc: "2.0", id, method: "authenticate", params: { methodId: "oauth" } });
    const question = await peer.next(({ method }) => method === "elicitation/create");
    expect(question["params"]).toEqual({ mode: "url", ...login, requestId: id });
    await peer.close();
  });
});

it("requestId is the id of the request that a handler answers, and undefined for a notification", async () => {
  const seen: unknown[] = [];
  const note = (result: object) => (_params: unknown, context: { readonly requestId: unknown }) => {
    seen.push(context.requestId);
    return result;
  };
  const handlers = {
    "session/new": note({ sessionId: "s" }),
    "session/prompt": note({ stopReason: "end_turn" }),
    "session/set_mode": note({}),
    "session/list": note({ sessions: [] }),
    "_acme/ask": note({}),
    "_acme/tell": note({}),
    "session/cancel": note({}),
  };
  const agent = createAgent({ info: { name: "test", version: "1.0.0" }, handlers } as unknown as Parameters<
    typeof createAgent
  >[0]);
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 1 });
  const params = { sessionId: "s", cwd: "/project", mcpServers: [], prompt: [], modeId: "m" };
  for (const method of Object.keys(handlers).slice(0, 5)) {
    peer.send({ jsonrpc: "2.0", id: method, method, params });
    await peer.next(({ id }) => id === method);
  }
  for (const method of ["_acme/tell", "session/cancel"]) peer.send({ jsonrpc: "2.0", method, params });
  await peer.settle();
  expect(seen).toEqual([...Object.keys(handlers).slice(0, 5), undefined, undefined]);
  await peer.close();
});
