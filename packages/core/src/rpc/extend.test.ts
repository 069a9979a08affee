import type { Notification, Request, RoleTable } from "@acp/schema";
import {
  decodeReadTextFileRequest,
  decodeReadTextFileResponse,
  decodeWriteTextFileRequest,
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  type WriteTextFileRequest,
} from "@acp/schema/v1";
import { expect, test } from "vitest";
import { createAgent, createAgentFor } from "../v1/agent.ts";
import { createClient, createClientFor } from "../v1/client.ts";
import { createMemoryTransportPair } from "../transport/memory-transport.ts";
import { extend, notification, type Protocol, request } from "./extend.ts";
import { v1 } from "../v1/protocol-types.ts";

const info = { name: "x", version: "1.0.0" };
const prompt = () => ({ stopReason: "end_turn" }) as const;

const drafts = extend(
  v1,
  {
    agent: {
      "session/set_model": request<{ sessionId: string; modelId: string }, { models: string[] }>(),
      "authentication/watch": notification<{ on: boolean }>(),
    },
    client: { "workspace/folders": request<{ depth: number }, { folders: string[] }>() },
  },
  { foreign: true },
);

test("extend() lets both sides speak methods of others, whose names start with no underscore", async () => {
  const seen: unknown[] = [];
  const agent = createAgentFor(drafts)({
    info,
    handlers: {
      "session/prompt": prompt,
      "session/set_model": async ({ sessionId, modelId }, { client }) => {
        const { folders } = await client.request("workspace/folders", { depth: 1 });
        return { models: [sessionId, modelId, ...folders] };
      },
      "authentication/watch": ({ on }) => {
        seen.push(on);
      },
    },
  });
  const client = createClientFor(drafts)({
    info,
    handlers: { "workspace/folders": ({ depth }) => ({ folders: [`${depth} deep`] }) },
  });
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  await using connected = await client.connect(ours);
  const { id } = await connected.newSession({ cwd: "/" });
  await connected.notify("authentication/watch", { on: true });
  const answer = await connected.request("session/set_model", { sessionId: id, modelId: "large" });
  expect(answer).toEqual({ models: [id, "large", "1 deep"] });
  expect(seen).toEqual([true]);
});

test("extend() lets handlers interpret a session id in methods of others", async () => {
  const spoken = extend(
    v1,
    {
      client: {
        "status/ask": request<{ sessionId: string }, string>(),
        _ask: request<{ sessionId: string }, string>(),
      },
    },
    { foreign: true },
  );
  const answer = ({ sessionId }: { sessionId: string }): string => sessionId;
  const client = createClientFor(spoken)({ info, handlers: { "status/ask": answer, _ask: answer } });
  const [ours, theirs] = createMemoryTransportPair();
  const answers: unknown[] = [];
  createAgentFor(spoken)({
    info,
    handlers: {
      "session/prompt": async (_params, { client: { request: ask } }) => {
        answers.push(await ask("_ask", { sessionId: "other" }), await ask("status/ask", { sessionId: "other" }));
        return prompt();
      },
    },
  }).connect(theirs);
  await using connected = await client.connect(ours);
  await (await connected.newSession({ cwd: "/" })).prompt("Hello").response;
  expect(answers).toEqual(["other", "other"]);
});

/** Tables as `acp-codegen` generates them: a request of the client, and a notification of the agent. */
function tablesFor(
  asked: string,
  told: string,
): Protocol<
  { readonly "_acme/read": Request<ReadTextFileRequest, ReadTextFileResponse> },
  { readonly "_acme/changed": Notification<WriteTextFileRequest> }
> {
  const common = { protocolVersion: 0, variants: {} } satisfies Partial<RoleTable>;
  const none = { requests: {}, notifications: {} };
  const changed = { [told]: { params: decodeWriteTextFileRequest } };
  return {
    agent: {
      ...common,
      role: "agent",
      handles: { ...none, requests: { [asked]: { params: decodeReadTextFileRequest } } },
      calls: { ...none, notifications: { [told]: {} } },
    },
    client: {
      ...common,
      role: "client",
      handles: { ...none, notifications: changed },
      calls: { ...none, requests: { [asked]: { result: decodeReadTextFileResponse } } },
    },
  };
}

test("extend() joins generated tables with those of the protocol, which then check and decode on both sides", async () => {
  const acme = extend(v1, tablesFor("_acme/read", "_acme/changed"));
  const received: unknown[] = [];
  const agent = createAgentFor(acme)({
    info,
    handlers: {
      "session/prompt": prompt,
      "_acme/read": async ({ sessionId, path, line }, { client }) => {
        received.push(line);
        const wrong = { sessionId, path, content: 1 } as unknown as WriteTextFileRequest;
        await client.notify("_acme/changed", wrong);
        await client.notify("_acme/changed", { sessionId, path, content: "new" });
        return path === "/bad" ? ({} as ReadTextFileResponse) : { content: path };
      },
    },
  });
  const changed: string[] = [];
  const client = createClientFor(acme)({
    info,
    handlers: { "_acme/changed": ({ content }) => void changed.push(content) },
  });
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  await using connected = await client.connect(ours);
  const { id: sessionId } = await connected.newSession({ cwd: "/" });
  const read = (params: object): Promise<unknown> =>
    connected.request("_acme/read", { sessionId, ...params } as ReadTextFileRequest);
  // A line that cannot be read is absent, as in the protocol's own method.
  expect(await read({ path: "/a", line: null })).toEqual({ content: "/a" });
  await expect(read({ path: 1 })).rejects.toMatchObject({ wire: { code: -32602, data: { path: "/path" } } });
  await expect(read({ path: "/bad" })).rejects.toThrow(/content/);
  expect(received).toHaveLength(2);
  await expect.poll(() => changed).toEqual(["new", "new"]);
});

test("extend() refuses tables with methods of the protocol, and names without an underscore", () => {
  expect(() => extend(v1, tablesFor("acme/read", "_acme/changed"))).toThrow(
    "The extension method 'acme/read' must begin with '_', or be declared with { foreign: true }",
  );
  expect(() => extend(v1, tablesFor("session/load", "_acme/changed"), { foreign: true })).toThrow(
    "The protocol has a method 'session/load'; an extension needs another name",
  );
  const acme = extend(v1, tablesFor("_acme/read", "acme/changed"), { foreign: true });
  expect(() => extend(acme, tablesFor("_acme/read", "_acme/changed"))).toThrow("has a method '_acme/read'");
});

test("extend() keeps its additions when it is applied again", () => {
  const both = extend(drafts, { agent: { "_acme/ping": request<object, object>() } });
  const handlers = { "session/prompt": prompt, "session/set_model": () => ({ models: [] }), "_acme/ping": () => ({}) };
  expect(() => createAgentFor(both)({ info, handlers })).not.toThrow();
});

test("extend() refuses names of others that are not said to be so, and those of the protocol", () => {
  // @ts-expect-error The compiler refuses it, too.
  expect(() => extend(v1, { agent: { "acme/ping": request<object, object>() } })).toThrow(
    "The extension method 'acme/ping' must begin with '_', or be declared with { foreign: true }",
  );
  expect(() => extend(v1, { client: { "session/prompt": request<object, object>() } }, { foreign: true })).toThrow(
    "The protocol has a method 'session/prompt'; an extension needs another name",
  );
});

test("a handler for an unknown method is refused with a suggestion", () => {
  const handle = (method: string) => () => {
    const others: object = { [method]: prompt };
    createAgent({ info, handlers: { "session/prompt": prompt, ...others } });
  };
  expect(handle("session/promt")).toThrow("An agent handles no method 'session/promt'; did you mean session/prompt? (");
  // A word of four letters is not a typo of another one.
  expect(handle("session/fork")).toThrow(
    "An agent handles no method 'session/fork' (for unstable methods import @acp/core/unst",
  );
  // It belongs to the other side: neither an import nor `extend` provides it.
  expect(handle("session/update")).toThrow(/^An agent handles no method 'session\/update'; a client does$/);
  expect(() => createClient({ info, handlers: { "session/prompt": prompt } } as never)).toThrow(
    /^A client handles no method 'session\/prompt'; an agent does$/,
  );
  expect(() => createClient({ info, handlers: { "workspace/folders": prompt } } as never)).toThrow(
    "A client handles no method 'workspace/folders' (for unstable methods import @acp/core/unstable; for extension methods use extend)",
  );
});
