// Questions for permission, and questions to the user.
import { type PermissionOption, RequestError, type ToolCallUpdate } from "@acp/core";
import { askPermission, elicitForm, elicitUrl, permissionOptions } from "@acp/core/agent";

import { between, type Scenario } from "../../harness/scenario.ts";
import type { Wire } from "../../harness/wire.ts";
import { agentThat, type ClientOptions, clientWith, connect, fullClient, type PromptHandler } from "./pair.ts";

type Permission = NonNullable<NonNullable<ClientOptions["handlers"]>["session/request_permission"]>;
type Elicitation = NonNullable<NonNullable<ClientOptions["handlers"]>["elicitation/create"]>;

const options: readonly PermissionOption[] = [
  { optionId: "a", name: "Once", kind: "allow_once" },
  { optionId: "b", name: "Always", kind: "allow_always" },
  { optionId: "c", name: "No", kind: "reject_once" },
  { optionId: "d", name: "Never", kind: "reject_always" },
];

async function ask(wire: Wire, prompt: PromptHandler, handlers: ClientOptions["handlers"]): Promise<void> {
  const agent = await connect(
    wire,
    agentThat(prompt),
    clientWith({ ...fullClient, handlers: { ...fullClient.handlers, ...handlers } }),
  );
  const session = await agent.newSession({ cwd: "/project" });
  await wire.step("prompt");
  await wire.outcome("prompt", session.prompt("go").response);
  await wire.step("close");
  await agent.close();
}

function permission(name: string, handler: Permission | undefined): Scenario {
  return between(`permission: ${name}`, (wire) =>
    ask(
      wire,
      async (_params, { turn }) => {
        const call = await turn.toolCall({ title: "Edit", kind: "edit" });
        await call.update({ title: "Edit more" });
        const first = await wire.outcome("default options", call.requestPermission());
        await turn.message(JSON.stringify(first ?? null));
        const second = await wire.outcome("options", call.requestPermission(options, { _meta: { asked: true } }));
        await turn.message(JSON.stringify(second ?? null));
        await call.complete();
        return { stopReason: "end_turn" };
      },
      { "session/request_permission": handler },
    ),
  );
}

function elicitation(name: string, handler: Elicitation): Scenario {
  return between(`elicitation: ${name}`, (wire) =>
    ask(
      wire,
      async (_params, { turn }) => {
        const call = await turn.toolCall({ title: "Deploy" });
        const form = await elicitForm(turn, {
          message: "Where to?",
          call,
          schema: {
            title: "Deploy",
            properties: {
              stage: { type: "string", enum: ["test", "live"] },
              count: { type: "integer", minimum: 1, default: 1 },
              sure: { type: "boolean" },
              ratio: { type: "number" },
            },
            required: ["stage"],
          },
        });
        await turn.message(`form: ${form.action}`);
        const url = await elicitUrl(turn, { message: "Log in", url: "https://example.com/login" });
        await turn.message(`url: ${url.action}`);
        if (url.action === "accept") await url.complete();
        const named = await elicitUrl(turn, { message: "Pay", url: "https://example.com", elicitationId: "mine" });
        if (named.action === "accept") await named.complete();
        return { stopReason: "end_turn" };
      },
      { "elicitation/create": handler },
    ),
  );
}

const questionByHand = {
  mode: "form",
  message: "By hand",
  requestedSchema: { type: "object", properties: {} },
} as const;
const toolCall: ToolCallUpdate = { toolCallId: "x", title: "X", kind: "execute", status: "pending" };

export const questions: readonly Scenario[] = [
  permission("the first option", ({ options: [first] }) => ({
    outcome: { outcome: "selected", optionId: first?.optionId ?? "" },
    _meta: { answered: true },
  })),
  permission("the last option", ({ options: all }) => ({
    outcome: { outcome: "selected", optionId: all.at(-1)?.optionId ?? "" },
  })),
  permission("cancelled", () => ({ outcome: { outcome: "cancelled" } })),
  permission("an option that nobody offered", () => ({ outcome: { outcome: "selected", optionId: "z" } })),
  permission("an error", () => {
    throw new RequestError({ code: -32001, message: "No" });
  }),
  permission("a crash", () => {
    throw new Error("secret");
  }),
  permission("no handler", undefined),
  between("permission: asked by wire name, at once", (wire) =>
    ask(
      wire,
      async (_params, { client, session, turn }) => {
        const question = { toolCall, options: [...options], _meta: { by: "hand" } };
        await Promise.all([
          wire.outcome("client", client.request("session/request_permission", question)),
          wire.outcome("session", session.client.request("session/request_permission", question)),
          wire.outcome("no options", client.request("session/request_permission", { toolCall, options: [] })),
        ]);
        await turn.message("asked");
        return { stopReason: "end_turn" };
      },
      fullClient.handlers,
    ),
  ),
  between("permission: remembered", (wire) => {
    let asked = 0;
    return ask(
      wire,
      async (_params, { turn }) => {
        const call = await turn.toolCall({ title: "Edit" });
        for (let at = 0; at < 4; at++) {
          const { allowed, remembered } = await askPermission(call, { remember: "edit" });
          await turn.message(`${allowed} ${remembered}`);
        }
        const other = await askPermission(call, { remember: "other", options });
        await turn.message(String(other.allowed));
        await turn.message(String((await askPermission(call)).allowed));
        await turn.message(String((await askPermission(call, { options: permissionOptions })).allowed));
        return { stopReason: "end_turn" };
      },
      {
        "session/request_permission": ({ options: all }) => {
          asked++;
          const option = asked === 1 ? all[0] : (all.find(({ kind }) => kind === "allow_always") ?? all.at(-1));
          return { outcome: { outcome: "selected", optionId: option?.optionId ?? "" } };
        },
      },
    );
  }),
  elicitation("accepted", ({ mode }) =>
    mode === "form" ? { action: "accept", content: { stage: "test", count: 2, sure: true } } : { action: "accept" },
  ),
  elicitation("declined", () => ({ action: "decline", _meta: { no: true } })),
  elicitation("cancelled", () => ({ action: "cancel" })),
  elicitation("content that does not fit", ({ mode }) =>
    mode === "form" ? { action: "accept", content: { stage: "elsewhere" } } : { action: "accept" },
  ),
  elicitation("a crash", () => {
    throw new Error("secret");
  }),
  between("elicitation: by wire name, and for a request", async (wire) => {
    const agent = await connect(
      wire,
      agentThat(
        async (_params, { client }) => {
          await wire.outcome(
            "in a turn",
            client.request("elicitation/create", { sessionId: "session-1", ...questionByHand }),
          );
          return { stopReason: "end_turn" };
        },
        {
          authMethods: [{ id: "web", name: "Web" }],
          handlers: {
            authenticate: async (_params, context) => {
              const url = await elicitUrl(context, { message: "Log in", url: "https://example.com" });
              if (url.action === "accept") await url.complete();
              const form = await elicitForm(context, {
                message: "Key",
                schema: { properties: { key: { type: "string" } } },
              });
              if (form.action === "failed") throw RequestError.authRequired();
            },
          },
        },
      ),
      clientWith(fullClient),
    );
    await wire.step("authenticate");
    await wire.outcome("authenticate", agent.authenticate("web", { _meta: { login: true } }));
    const session = await agent.newSession({ cwd: "/project" });
    await wire.step("prompt");
    await wire.outcome("prompt", session.prompt("go").response);
    await agent.close();
  }),
  between("elicitation: for a client without it", async (wire) => {
    const agent = await connect(
      wire,
      agentThat(async (_params, { turn, client }) => {
        const form = await elicitForm(turn, { message: "?", schema: { properties: {} } });
        const url = await elicitUrl(turn, { message: "?", url: "https://example.com" });
        await turn.message(`${form.action} ${url.action}`);
        await wire.outcome(
          "by hand",
          client.request("elicitation/create", { sessionId: "session-1", ...questionByHand }),
        );
        return { stopReason: "end_turn" };
      }),
      clientWith(),
    );
    const session = await agent.newSession({ cwd: "/project" });
    await wire.outcome("prompt", session.prompt("go").response);
    await agent.close();
  }),
];
