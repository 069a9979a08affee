import {
  type ConnectedAgent,
  createAgent,
  createClient,
  createMemoryTransportPair,
  RequestError,
  UsageError,
} from "@acp/core";
import { describe, expect, test } from "vitest";
import { createChainProxy, createConductor } from "./index.ts";
import { conduct, type Conducted, local, type LocalComponent, methodsOf } from "../../test/support/chain.ts";
import { rawEnd } from "../../test/support/raw.ts";

const info = { name: "test", version: "1.0.0" };

/** Does in a turn what its prompt says. */
const worker = createAgent({
  info: { name: "worker", version: "2.0.0" },
  handlers: {
    "_acme/fail": () => {
      throw new RequestError({ code: 4711, message: "No", data: { odd: [1] } });
    },
    "_acme/hang": (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    "session/prompt": async ({ prompt }, { turn, client, signal }) => {
      for (const block of prompt) {
        const text = block.type === "text" ? block.text : "";
        if (text === "read") await turn.message((await client.request("fs/read_text_file", { path: "/a" })).content);
        else if (text === "ask") {
          const call = await turn.toolCall({ title: "Delete everything", kind: "delete" });
          const outcome = await call.requestPermission([{ optionId: "y", name: "Yes", kind: "allow_once" }]);
          await turn.message(outcome.outcome);
        } else if (text === "extend") await turn.message(String(await client.request("_acme/ask", { question: 1 })));
        else if (text === "wait") {
          await turn.message("waiting");
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return { stopReason: "cancelled" };
        } else await turn.message(text);
      }
      return { stopReason: "end_turn" };
    },
  },
});

const client = createClient({
  info,
  handlers: {
    "fs/read_text_file": ({ path }) => ({ content: `content of ${path}` }),
    "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "y" } }),
    "_acme/ask": ({ question }) => question + 1,
  },
});

const passing = (count: number): LocalComponent[] =>
  Array.from({ length: count }, (_, index) => local(createChainProxy({}), `p${index + 1}`));

const connected = ({ client: transport }: Conducted): Promise<ConnectedAgent> =>
  client.connect(transport, { startTimeout: 5000 });

/** What is said in a turn. */
async function said(agent: ConnectedAgent, ...texts: string[]): Promise<string[]> {
  const session = await agent.newSession({ cwd: "/project" });
  const turn = session.prompt(texts.map((text) => ({ type: "text", text })));
  const heard: string[] = [];
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      heard.push(update.content.text);
  }
  expect((await turn.response).stopReason).toBe("end_turn");
  return heard;
}

describe("createConductor()", () => {
  test.each([0, 1, 3])("lets a client and an agent work together behind %d proxies", async (count) => {
    const proxies = passing(count);
    const agentComponent = local(worker);
    const chain = conduct(proxies, agentComponent);
    const agent = await connected(chain);
    expect(agent.info?.name).toBe("worker");
    const script = ["Hello", "read", "ask", "extend"];
    expect(await said(agent, ...script)).toEqual(["Hello", "content of /a", "selected", "2"]);
    await expect(agent.request("_acme/fail", {})).rejects.toMatchObject({
      wire: { code: 4711, message: "No", data: { odd: [1] } },
    });
    await expect(agent.request("_acme/unheard_of", {})).rejects.toMatchObject({ wire: { code: -32601 } });
    await agent.close();
    await chain.conductor.closed;
    expect(chain.diagnostics).toEqual([]);
    for (const proxy of proxies) {
      const [ask, update] = ["(session/request_permission)", "(session/update)"];
      const turn = [update, "(fs/read_text_file)", update, update, ask, update, "(_acme/ask)", update];
      const calls = ["proxy/initialize", "session/new", "session/prompt", ...turn, "_acme/fail", "_acme/unheard_of"];
      expect(methodsOf(proxy.sent)).toEqual(calls);
      await proxy.served().closed;
    }
    expect(methodsOf(agentComponent.sent)[0]).toBe("initialize");
    await agentComponent.served().closed;
  });

  test("needs something to conduct", () => {
    expect(() => createConductor({ proxies: [] })).toThrow(UsageError);
  });

  test("makes a chain for each client", async () => {
    const conductor = createConductor({ proxies: passing(1), agent: local(worker) });
    const agents = await Promise.all(
      [1, 2].map(async () => {
        const [near, far] = createMemoryTransportPair();
        conductor.connect(far);
        return client.connect(near);
      }),
    );
    expect(await Promise.all(agents.map((agent, index) => said(agent, `I am ${index}`)))).toEqual([
      ["I am 0"],
      ["I am 1"],
    ]);
    await Promise.all(agents.map((agent) => agent.close()));
  });

  test("passes on the first call alone, and only when it is initialize", async () => {
    const agentComponent = local(worker);
    const chain = conduct([], agentComponent);
    const raw = rawEnd(chain.client);
    raw.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    expect(await raw.call("session/new", { cwd: "/", mcpServers: [] })).toMatchObject({
      error: { code: -32600, message: "A client begins with initialize" },
    });
    expect(agentComponent.sent).toEqual([]);
    expect(await raw.call("initialize", { protocolVersion: 1 })).toMatchObject({ result: { protocolVersion: 1 } });
    expect(chain.diagnostics).toMatchObject([
      { type: "rule", method: "session/cancel" },
      { type: "invalid-message", method: "session/new" },
    ]);
    await raw.close();
    await chain.conductor.closed;
  });

  test("without an agent is a proxy of a longer chain", async () => {
    const [one, two, three, four] = passing(4) as [LocalComponent, LocalComponent, LocalComponent, LocalComponent];
    const inner = local(createConductor({ proxies: [two, three] }), "inner");
    const agentComponent = local(worker);
    const chain = conduct([one, inner, four], agentComponent);
    const agent = await connected(chain);
    expect(await said(agent, "Hello", "read", "ask", "extend")).toEqual(["Hello", "content of /a", "selected", "2"]);
    const controller = new AbortController();
    const hanging = agent.request("_acme/hang", {}, { signal: controller.signal });
    controller.abort(new Error("Enough"));
    await expect(hanging).rejects.toThrow("Enough");
    await expect(agent.request("_acme/fail", {})).rejects.toMatchObject({ wire: { code: 4711 } });
    expect(methodsOf(agentComponent.sent)).toContain("$/cancel_request");
    for (const proxy of [one, two, three, four]) expect(methodsOf(proxy.sent)).toEqual(methodsOf(one.sent));
    await agent.close();
    await Promise.all([one, two, three, four, agentComponent].map(({ served }) => served().closed));
    expect(chain.diagnostics).toEqual([]);
  });

  test("without an agent tells a client that starts with initialize that it is a conductor", async () => {
    const chain = conduct(passing(1), undefined);
    const raw = rawEnd(chain.client);
    expect(await raw.call("initialize", { protocolVersion: 1 })).toMatchObject({
      error: { code: -32600, message: expect.stringContaining("This program is a proxy") as string },
    });
    await raw.close();
    await chain.conductor.closed;
  });

  test("cancels a turn, and a request, through all of its proxies", async () => {
    const agentComponent = local(worker);
    const chain = conduct(passing(3), agentComponent);
    const agent = await connected(chain);
    const turn = (await agent.newSession({ cwd: "/" })).prompt("wait");
    for await (const _ of turn.updates) turn.cancel();
    expect((await turn.response).stopReason).toBe("cancelled");
    const controller = new AbortController();
    const hanging = agent.request("_acme/hang", {}, { signal: controller.signal });
    while (!methodsOf(agentComponent.sent).includes("_acme/hang"))
      await new Promise((resolve) => setTimeout(resolve, 1));
    controller.abort();
    await expect(hanging).rejects.toThrow();
    // The answer -32800 has come back by the time that another one has.
    await agent.request("_acme/fail", {}).catch(() => {});
    expect(agentComponent.received.map(({ error }) => (error as { code?: number } | undefined)?.code)).toContain(
      -32800,
    );
    await agent.close();
  });
});

test.each([NaN, -1, -Infinity, "1000" as unknown as number])(
  "createConductor() refuses the start timeout %s",
  (startTimeout) => {
    const [near] = createMemoryTransportPair();
    const conductor = (): unknown => createConductor({ proxies: [{ connect: () => near }], startTimeout });
    expect(conductor).toThrow(expect.objectContaining({ code: "usage" }));
  },
);
