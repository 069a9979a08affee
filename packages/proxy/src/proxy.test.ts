import {
  type ConnectedAgent,
  createAgent,
  createClient,
  createMemoryTransportPair,
  type Diagnostic,
  RequestError,
} from "@acp/core";
import { describe, expect, test } from "vitest";
import { createProxy, type ProxyMessage, type ProxyOptions } from "./index.ts";

const info = { name: "test", version: "1.0.0" };

const echo = createAgent({
  info: { name: "echo", version: "2.0.0" },
  handlers: {
    "_acme/fail": () => {
      throw new RequestError({ code: 4711, message: "No", data: { odd: [1] } });
    },
    "_acme/hang": (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    "session/prompt": async ({ prompt }, { turn, client }) => {
      await turn.message(JSON.stringify(prompt));
      await turn.message(String(await client.request("_acme/ask", { question: 1 }).catch((error: unknown) => error)));
      return { stopReason: "end_turn" };
    },
  },
});

interface Proxied {
  readonly agent: ConnectedAgent;
  readonly diagnostics: readonly Diagnostic[];
  /** Ends the agent behind the proxy. */
  end(): Promise<void>;
  readonly closed: Promise<void>;
}

async function connect(options: Partial<ProxyOptions> = {}): Promise<Proxied> {
  const diagnostics: Diagnostic[] = [];
  let end = (): Promise<void> => Promise.resolve();
  const proxy = createProxy({
    connect: () => {
      const [ours, theirs] = createMemoryTransportPair();
      const served = echo.connect(theirs);
      end = () => served.close();
      return ours;
    },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  const client = createClient({ info, handlers: { "_acme/ask": ({ question }) => question + 1 } });
  const [near, far] = createMemoryTransportPair();
  const { closed } = proxy.connect(far);
  return { agent: await client.connect(near, { startTimeout: 2000 }), diagnostics, end: () => end(), closed };
}

async function textOf(agent: ConnectedAgent): Promise<string[]> {
  const turn = (await agent.newSession({ cwd: "/project" })).prompt("Hello");
  const texts: string[] = [];
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      texts.push(update.content.text);
  }
  return texts;
}

describe("createProxy()", () => {
  test("lets a client and an agent work together as if it were not there", async () => {
    const { agent, diagnostics, closed } = await connect();
    expect(agent.info?.name).toBe("echo");
    expect(await textOf(agent)).toEqual(['[{"type":"text","text":"Hello"}]', "2"]);
    await expect(agent.request("_acme/fail", {})).rejects.toMatchObject({
      wire: { code: 4711, message: "No", data: { odd: [1] } },
    });
    await agent.close();
    await closed;
    expect(diagnostics).toEqual([]);
  });

  test("lets a program see, change and answer messages in both directions", async () => {
    const seen: string[] = [];
    const see = ({ kind, method }: ProxyMessage): void => void seen.push(`${kind} ${method}`);
    const { agent } = await connect({
      fromClient: (message, forward) => {
        see(message);
        if (message.method !== "session/prompt") return forward(message);
        const params = { ...(message.params as object), prompt: [{ type: "text", text: "Bye" }] };
        return forward({ ...message, params });
      },
      fromAgent: (message, forward) => {
        see(message);
        if (message.method !== "_acme/ask") return forward(message);
        throw new RequestError({ code: 1, message: "Not allowed" });
      },
    });
    const [prompt, answer] = await textOf(agent);
    expect([prompt, answer]).toEqual(['[{"type":"text","text":"Bye"}]', "RequestError: _acme/ask: Not allowed (1)"]);
    expect(seen).toEqual([
      "request initialize",
      "request session/new",
      "request session/prompt",
      "notification session/update",
      "request _acme/ask",
      "notification session/update",
    ]);
    await agent.close();
  });

  test("ends with its agent: pending requests get an error, and the client learns of the end", async () => {
    const { agent, end, closed } = await connect();
    const hanging = agent.request("_acme/hang", {});
    await end();
    await expect(hanging).rejects.toThrow();
    await agent.closed;
    await closed;
  });

  test("ends its agent with its client", async () => {
    const { agent, closed, diagnostics } = await connect();
    const hanging = agent.request("_acme/hang", {}).catch(() => {});
    await agent.close();
    await closed;
    await hanging;
    expect(diagnostics).toEqual([]);
  });
});
