import { expect, test } from "vitest";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createClient } from "../../src/v1/client.ts";

/** Each message has one of its own, named after it. */
const of = (name: string) => ({ _meta: { name } });

/** The `_meta` names of all messages on the wire, by what they are. */
function wire() {
  const seen: string[] = [];
  const methods = new Map<string, string>();
  const look = (from: string, text: string): void => {
    const message = JSON.parse(text);
    const key = `${message.method === undefined ? from : from === "client" ? "agent" : "client"} ${message.id}`;
    if (message.method !== undefined && message.id !== undefined) methods.set(key, message.method);
    const subject = message.method ?? `answer to ${methods.get(key)}`;
    const { _meta, update } = message.params ?? message.result ?? {};
    const kind = update?.sessionUpdate === undefined ? "" : ` ${update.sessionUpdate} ${update._meta?.name}`;
    seen.push(`${subject}${kind} ${_meta?.name}`);
  };
  const [ours, theirs] = createMemoryTransportPair();
  const watched = (from: string, transport: typeof ours): typeof ours => ({
    start: (sink) => transport.start(sink),
    send(text, flush) {
      look(from, text);
      return transport.send(text, flush);
    },
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    close: () => transport.close(),
  });
  return { seen, client: watched("client", ours), agent: watched("agent", theirs) };
}

test("_meta goes into every message that the API makes, and is read on the other side (EXT-01/both)", async () => {
  const { seen, client: clientEnd, agent: agentEnd } = wire();
  const read: Record<string, unknown> = {};
  const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
  const option = {
    id: "model",
    name: "Model",
    type: "select",
    currentValue: "a",
    options: [{ value: "a", name: "A" }],
  };
  const configOptions = [option as typeof option & { type: "select" }];
  const agent = createAgent({
    info: { name: "agent", version: "1" },
    ...of("initialized"),
    authMethods: [{ id: "login", name: "Log in" }],
    session: ({ params }) => Object.assign(read, { setup: params._meta }) && undefined,
    handlers: {
      authenticate: ({ _meta }) => Object.assign(read, { authenticate: _meta }) && of("authenticated"),
      "session/new": ({ _meta }, { session, client }) => {
        Object.assign(read, { new: _meta, session: session.meta, initialize: client.meta });
        return { sessionId: "s", modes, configOptions, ...of("opened") };
      },
      "session/set_mode": ({ _meta }) => Object.assign(read, { mode: _meta }) && of("mode set"),
      "session/set_config_option": ({ _meta }) =>
        Object.assign(read, { option: _meta }) && { configOptions, ...of("option set") },
      "session/close": ({ _meta }) => Object.assign(read, { close: _meta }) && of("closed"),
      "session/cancel": ({ _meta }) => void Object.assign(read, { cancel: _meta }),
      "session/prompt": async ({ _meta }, { turn, client, signal }) => {
        read["prompt"] = _meta;
        await turn.message("text", of("message"));
        await turn.thought("text", of("thought"));
        await turn.plan([], of("plan"));
        const call = await turn.toolCall({ title: "Call", ...of("call") });
        await call.requestPermission(undefined, of("permission"));
        await call.update({ title: "Changed", ...of("update") });
        await call.complete(undefined, of("complete"));
        await call.fail("why", of("fail"));
        await turn.update({ sessionUpdate: "current_mode_update", currentModeId: "ask", ...of("other") });
        await client.notify("session/update", {
          update: { sessionUpdate: "plan", entries: [], ...of("inner") },
          ...of("outer"),
        });
        await client.request("_acme/ask", of("ask"));
        await client.notify("_acme/tell", of("tell"));
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "cancelled", ...of("prompted") };
      },
      "_acme/ping": (params: { _meta: unknown }) => Object.assign(read, { ping: params._meta }) && of("pong"),
    },
  });
  const updates: unknown[] = [];
  let told = (): void => {};
  const prompted = new Promise<void>((resolve) => {
    told = resolve;
  });
  const client = createClient({
    info: { name: "client", version: "1" },
    handlers: {
      "session/update": ({ update, _meta }) =>
        void updates.push([("_meta" in update ? update._meta : undefined)?.["name"], _meta?.["name"]]),
      "session/request_permission": ({ _meta }) => {
        read["permission"] = _meta;
        return { outcome: { outcome: "selected", optionId: "allow" }, ...of("permitted") };
      },
      "_acme/ask": (params: { _meta: unknown }) => Object.assign(read, { ask: params._meta }) && of("answered"),
      "_acme/tell": (params: { _meta: unknown }) => {
        read["tell"] = params._meta;
        told();
      },
    },
  });
  agent.connect(agentEnd);
  const connected = await client.connect(clientEnd, of("initialize"));
  expect(connected.meta).toEqual({ name: "initialized" });
  await connected.authenticate("login", of("authenticate"));
  const session = await connected.newSession({ cwd: "/project", ...of("new") });
  expect(session.meta).toEqual({ name: "opened" });
  await session.setMode("ask", of("mode"));
  await session.setConfigOption("model", "a", of("option"));
  const turn = session.prompt("go", of("prompt"));
  await prompted;
  turn.cancel(of("cancel"));
  expect((await turn.response)._meta).toEqual({ name: "prompted" });
  expect(await connected.request("_acme/ping", of("ping"))).toEqual(of("pong"));
  await session.close(of("close"));
  await connected.close();

  const names = Object.entries(read).map(([name, meta]) => [name, (meta as { name: unknown }).name]);
  expect(names.filter(([name, meta]) => name !== meta)).toEqual([
    ["setup", "new"],
    ["session", "new"],
  ]);
  expect(updates).toEqual([
    ...["message", "thought", "plan", "call", "update", "complete", "fail", "other"].map((name) => [name, undefined]),
    ["inner", "outer"],
  ]);
  expect(seen.filter((line) => line.endsWith("undefined") && !line.includes("session/update"))).toEqual([]);
  expect(seen.length).toBeGreaterThan(25);
});
