// The same for version 2 as for version 1: in each option of each entry, `null` counts as absent. The tables here do not
// compile when one is missing in them.
import {
  type AgentOptions,
  agentOfVersions,
  type ClientOptions,
  clientOfVersions,
  type ConnectOptions,
  createAgent,
  createClient,
  createMemoryTransportPair,
  type Diagnostic,
  type PlanOptions,
  type PromptOptions,
  type RequestOptions,
  type Transport,
  UsageError,
} from "@acp/core/v2";
import {
  type AskPermissionOptions,
  askPermission,
  createPlan,
  createSettings,
  type ElicitFormOptions,
  elicitForm,
  elicitUrl,
  type ElicitUrlOptions,
  type FormSchema,
  runCommand,
  type RunCommandOptions,
  type SettingsOptions,
  userMessage,
  type UserMessageOptions,
} from "@acp/core/v2/agent";
import { createSessionState, type SessionStoreOptions } from "@acp/core/v2/state";
import { createAgent as createAgent1, createClient as createClient1 } from "@acp/core";
import type { AgentMethods, ClientMethods } from "@acp/schema/v2/types";
import { expect, test } from "vitest";

type Nulls<T> = { readonly [K in keyof T]-?: null };

/** Options that a program without types makes. */
const untyped = <T>(nulls: Nulls<T>): never => nulls as never;
const nothing = null as never;

const info = { name: "test", version: "1" };

const agentOptions = untyped<Omit<AgentOptions<AgentMethods, ClientMethods, undefined, object>, "info" | "handlers">>({
  connected: null,
  session: null,
  sessionId: null,
  capabilities: null,
  authMethods: null,
  onUpdate: null,
  overlappingPrompts: null,
  maxIncomingRequests: null,
  maxIncomingSize: null,
  resolvePath: null,
  _meta: null,
  gate: null,
  validate: null,
  onDiagnostic: null,
});
const clientOptions = untyped<
  Omit<ClientOptions<AgentMethods, ClientMethods, object>, "info" | "handlers" | "onDiagnostic">
>({
  capabilities: null,
  gate: null,
  authenticate: null,
  interceptors: null,
  maxIncomingRequests: null,
  maxIncomingSize: null,
  unreadUpdates: null,
  stall: null,
  validate: null,
});
const connectOptions = untyped<ConnectOptions>({ startTimeout: null, signal: null, onDiagnostic: null, _meta: null });

/** A transport to an agent in this process. */
function toAgent(definition: { connect(transport: Transport): unknown }): Transport {
  const [ours, theirs] = createMemoryTransportPair();
  definition.connect(theirs);
  return ours;
}

test("an agent, its client and the layers above both take null for every option", async () => {
  const diagnostics: Diagnostic[] = [];
  const settings = createSettings({ configOptions: [] }, untyped<SettingsOptions>({ onChange: null }));
  const agent = createAgent({
    ...(agentOptions as object),
    info,
    handlers: {
      ...settings.handlers,
      "session/resume": nothing,
      "session/prompt": async (_params, { turn, session }) => {
        await userMessage(session, "Hi", untyped<UserMessageOptions>({ messageId: null, _meta: null }));
        const asked = untyped<AskPermissionOptions>({
          title: null,
          description: null,
          options: null,
          remember: null,
          _meta: null,
        });
        const call = await turn.toolCall({ title: "Read", toolCallId: nothing, content: nothing });
        const { allowed } = await askPermission(call, asked);
        await call.complete(nothing, nothing);
        await turn.plan([], untyped<PlanOptions>({ planId: null, _meta: null }));
        await createPlan(turn, [], nothing);
        const form = untyped<Omit<ElicitFormOptions<FormSchema>, "message" | "schema">>({ call: null });
        const schema = { type: "object", properties: { a: { type: "string" } } } as const;
        const formed = await elicitForm(turn, { ...(form as object), message: "a", schema });
        const page = untyped<Omit<ElicitUrlOptions, "message" | "url">>({ call: null, elicitationId: null });
        const visited = await elicitUrl(turn, { ...(page as object), message: "b", url: "https://a.example/" });
        const command = untyped<Omit<RunCommandOptions, "command" | "run">>({
          args: null,
          cwd: null,
          timeout: null,
          outputByteLimit: null,
          call: null,
        });
        const { output } = await runCommand(turn, {
          ...(command as object),
          command: "pwd",
          run: async ({ args, cwd, output: print }) => {
            await print(new TextEncoder().encode(`${args.length} ${cwd}`));
            return { exitCode: 0, signal: null };
          },
        });
        await turn.message(`${allowed} ${formed.action} ${visited.action} ${output}`, nothing);
        return { stopReason: "end_turn" };
      },
    },
  });
  const client = createClient({
    ...(clientOptions as object),
    info,
    handlers: { "session/update": nothing },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  const connected = await client.connect(toAgent(agent), nothing);
  const session = await connected.newSession({ cwd: "/project" }, untyped<RequestOptions>({ signal: null }));
  createSessionState(session, nothing);
  const store = createSessionState(session, untyped<SessionStoreOptions>({ state: null, onEvent: null }));
  const turn = session.prompt(
    "Go",
    untyped<PromptOptions>({ signal: null, cancelGrace: null, stall: null, _meta: null }),
  );
  const texts: string[] = [];
  for await (const update of turn.updates)
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      texts.push(update.content.text);
  expect(await turn.finished).toMatchObject({ stopReason: "end_turn" });
  expect(texts).toEqual(["false failed failed 0 /project"]);
  expect(store.state.turns.length).toBe(1);
  expect(await connected.request("session/list", {}, nothing)).toEqual({ sessions: [] });
  expect(diagnostics.filter(({ level }) => level === "error")).toEqual([]);
  await session.close(nothing);
  await connected.close();
});

test("clients and agents of both versions take null for every option", async () => {
  const handlers = { "session/prompt": () => ({ stopReason: "end_turn" as const }) };
  const v1 = createAgent1({ info, handlers });
  const v2 = createAgent({ ...(agentOptions as object), info, handlers });
  const client = clientOfVersions({ v1: createClient1({ info }), v2: createClient({ info, handlers: nothing }) });
  for (const options of [nothing, connectOptions]) {
    for (const [agent, version] of [
      [agentOfVersions({ v1, v2 }), 2],
      [v1, 1],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const connected = await client.connect(toAgent(agent), options);
      expect(connected.version).toBe(version);
      // oxlint-disable-next-line no-await-in-loop
      await connected.agent.close();
    }
  }
});

test.each([
  ["createAgent", createAgent, "An agent needs a handler for session/prompt"],
  ["createClient", createClient, "A client needs options: at least `info`, its name and version"],
  ["clientOfVersions", clientOfVersions, "clientOfVersions needs a client of each version: { v1, v2 }"],
  ["agentOfVersions", agentOfVersions, "agentOfVersions needs an agent of one version at least"],
])(
  "%s() names its required arguments, without options and with null",
  (_, make: (options: never) => unknown, message) => {
    for (const options of [undefined, null]) expect(() => make(options as never)).toThrow(new UsageError(message));
  },
);
