// Values that are wrong, missing, null or unknown, one at a time, in each example of the reference: what is refused, and
// what is tolerated. Whoever gets a value sends back in `_seen` how it was read.
import type { AnyContext, AnyOptions, AnyPeer, Edition, Json } from "../harness/edition.ts";
import {
  answering,
  initializeParams,
  initializeResult,
  loginOf,
  type MethodExample,
  methodExamples,
  sessionId,
  updateExamples,
} from "../harness/examples.ts";
import type { Side } from "../harness/line.ts";
import type { RawPeer } from "../harness/raw-peer.ts";
import { mutationsOf } from "../harness/mutations.ts";
import { byHand, type Scenario } from "../harness/scenario.ts";
import type { Wire } from "../harness/wire.ts";

const info = { name: "agent", version: "1.0.0" };

/** The same handlers, which first send back what they got. */
function echoing(handlers: AnyOptions["handlers"], to: (context: AnyContext) => AnyPeer): AnyOptions["handlers"] {
  const wrap =
    (handler: (params: Json, context: AnyContext) => unknown) =>
    async (params: Json, context: AnyContext): Promise<unknown> => {
      await to(context).notify("_seen", params);
      return handler(params, context);
    };
  return Object.fromEntries(Object.entries(handlers).map(([method, handler]) => [method, wrap(handler)]));
}

/** Some members of an object, whatever its type. */
function shown(value: object, ...members: readonly string[]): object {
  return Object.fromEntries(members.map((member) => [member, Reflect.get(value, member) as unknown]));
}

function agentOf(edition: Edition): ReturnType<Edition["createAgent"]> {
  return edition.createAgent({
    info,
    gate: "diagnose",
    authMethods: [loginOf(edition)],
    handlers: {
      ...echoing(answering(edition, "client"), ({ client }) => client),
      _ask: async ({ method, params }, { client }) => {
        await client.notify("_seen", await client.request(String(method), params));
        return {};
      },
      _client: (_params, { client }) => ({ ...shown(client, "capabilities", "info", "meta") }),
    },
  });
}

function clientOf(edition: Edition): ReturnType<Edition["createClient"]> {
  return edition.createClient({
    info: { ...info, name: "client" },
    gate: "diagnose",
    capabilities: { elicitation: { form: {}, url: {} } },
    handlers: echoing(
      { ...answering(edition, "agent"), "session/update": () => undefined, "elicitation/complete": () => undefined },
      ({ agent }) => agent,
    ),
  });
}

/** What the unstable edition has and the stable one has not; all of a stable one. */
function own(edition: Edition, stable: Edition | undefined, side: Side): readonly MethodExample[] {
  const known = new Set(stable === undefined ? [] : methodExamples(stable, side).map(({ method }) => method));
  return methodExamples(edition, side).filter(({ method }) => !known.has(method));
}

const setup = (edition: Edition): MethodExample | undefined =>
  methodExamples(edition, "client").find(({ method }) => method === "session/new");

/** What an agent makes of params, of everything that a client sends. */
function paramsForAgent(edition: Edition, examples: readonly MethodExample[]): readonly Scenario[] {
  return examples.map(({ method, params, result }) =>
    byHand(`an agent gets ${method}`, async (wire) => {
      if (method === "initialize") return initializeAgent(wire, edition, params);
      const client = wire.rawClient((transport) => agentOf(edition).connect(transport));
      await client.call("initialize", initializeParams(edition));
      if (!/^(auth|session\/new)/.test(method)) await client.call("session/new", setup(edition)?.params);
      for (const { name, value } of [{ name: "as it should be", value: params }, ...mutationsOf(params)]) {
        await wire.step(name);
        if (result === undefined) await client.notify(method, value);
        else await client.call(method, value);
      }
      await client.close();
    }),
  );
}

async function initializeAgent(wire: Wire, edition: Edition, params: unknown): Promise<void> {
  for (const { name, value } of [{ name: "as it should be", value: params }, ...mutationsOf(params)]) {
    await wire.step(name);
    const client = wire.rawClient((transport) => agentOf(edition).connect(transport));
    await client.call("initialize", value);
    await client.call("_client");
    await client.close();
  }
}

/** What an agent makes of results, of everything that it asks a client for. */
function resultsForAgent(edition: Edition, examples: readonly MethodExample[]): readonly Scenario[] {
  return examples
    .filter(({ result }) => result !== undefined)
    .map(({ method, params, result }) =>
      byHand(`an agent is answered ${method}`, async (wire) => {
        const client = wire.rawClient((transport) => agentOf(edition).connect(transport));
        await client.call("initialize", initializeParams(edition));
        await client.call("session/new", setup(edition)?.params);
        for (const { name, value } of [...mutationsOf(result), { name: "nothing", value: undefined }]) {
          await wire.step(name);
          await client.send(client.request("_ask", { method, params }));
          await client.answer(method, value);
        }
        await client.close();
      }),
    );
}

/** What a client makes of params, of everything that an agent sends. */
function paramsForClient(
  edition: Edition,
  examples: readonly MethodExample[],
  updates: readonly Json[],
): readonly Scenario[] {
  const sent = [
    ...examples.map(({ method, params, result }) => ({
      name: method,
      method,
      params,
      isRequest: result !== undefined,
    })),
    ...updates.map((update) => ({
      name: `update ${String(update["sessionUpdate"])}`,
      method: "session/update",
      params: { sessionId, update },
      isRequest: false,
    })),
  ];
  return sent.map(({ name, method, params, isRequest }) =>
    byHand(`a client gets ${name}`, async (wire) => {
      let connected: Promise<AnyPeer> | undefined;
      const agent = wire.rawAgent((transport) => {
        connected = clientOf(edition).connect(transport);
      });
      await wire.settle();
      await agent.answer("initialize", initializeResult(edition));
      const opened = (await connected)?.request("session/new", setup(edition)?.params);
      await wire.settle();
      await agent.answer("session/new", setup(edition)?.result);
      await opened;
      for (const { name: change, value } of [{ name: "as it should be", value: params }, ...mutationsOf(params)]) {
        await wire.step(change);
        if (isRequest) await agent.call(method, value);
        else await agent.notify(method, value);
      }
      await agent.close();
    }),
  );
}

/** What a client makes of results, of everything that it asks an agent for. */
function resultsForClient(edition: Edition, examples: readonly MethodExample[]): readonly Scenario[] {
  return examples
    .filter(({ method, result }) => result !== undefined && !/^(tool_call|terminal)\/cancel$/.test(method))
    .map(({ method, params, result }) =>
      byHand(`a client is answered ${method}`, async (wire) => {
        for (const { name, value } of [...mutationsOf(result), { name: "nothing", value: undefined }]) {
          await wire.step(name);
          let connecting: Promise<AnyPeer> | undefined;
          const agent = wire.rawAgent((transport) => {
            connecting = clientOf(edition).connect(transport);
          });
          const connected = connecting === undefined ? undefined : wire.outcome("initialize", connecting);
          await wire.settle();
          await agent.answer("initialize", method === "initialize" ? value : initializeResult(edition));
          const peer = await connected;
          if (method !== "initialize") await ask(agent, peer, value);
          else if (peer !== undefined)
            await peer.notify("_seen", shown(peer, "capabilities", "authMethods", "info", "meta"));
          await agent.close();
        }

        async function ask(agent: RawPeer, peer: AnyPeer | undefined, answer: unknown): Promise<void> {
          if (peer === undefined) return;
          if (method !== "session/new") {
            const opened = peer.request("session/new", setup(edition)?.params);
            await wire.settle();
            await agent.answer("session/new", setup(edition)?.result);
            await opened;
          }
          const asked = wire.outcome(
            method,
            peer.request(method, params).then((read) => peer.notify("_seen", read)),
          );
          await wire.settle();
          await agent.answer(method, answer);
          await asked;
        }
      }),
    );
}

/** All of an edition; of an unstable one, what `stable` has not. */
export function brokenValues(edition: Edition, stable: Edition | undefined): readonly Scenario[] {
  const fromClient = own(edition, stable, "client");
  const fromAgent = own(edition, stable, "agent");
  const known = new Set(stable === undefined ? [] : updateExamples(stable).map((update) => update["sessionUpdate"]));
  const updates = updateExamples(edition).filter((update) => !known.has(update["sessionUpdate"]));
  return [
    ...paramsForAgent(edition, fromClient),
    ...resultsForAgent(edition, fromAgent),
    ...paramsForClient(edition, fromAgent, updates),
    ...resultsForClient(edition, fromClient),
  ];
}
