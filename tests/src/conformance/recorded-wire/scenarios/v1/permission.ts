// Questions for permission, and questions to the user.
import { type PermissionOption, RequestError, type ToolCallUpdate } from "@acp/core";
import { askPermission, elicitForm, elicitUrl, permissionOptions } from "@acp/core/agent";

import { between, type Scenario } from "../../harness/scenario.ts";
import { agentThat, type ClientOptions, clientWith, fullClient, handling, turn } from "./pair.ts";

type Permission = NonNullable<NonNullable<ClientOptions["handlers"]>["session/request_permission"]>;
type Elicitation = NonNullable<NonNullable<ClientOptions["handlers"]>["elicitation/create"]>;

const options: readonly PermissionOption[] = [
  { optionId: "a", name: "Once", kind: "allow_once" },
  { optionId: "b", name: "Always", kind: "allow_always" },
  { optionId: "c", name: "No", kind: "reject_once" },
  { optionId: "d", name: "Never", kind: "reject_always" },
];

function permission(name: string, handler: Permission | undefined): Scenario {
  return turn(
    `permission: ${name}`,
    async ({ turn: says }, wire) => {
      const call = await says.toolCall({ title: "Edit", kind: "edit" });
      await call.update({ title: "Edit more" });
      const first = await wire.outcome("default options", call.requestPermission());
      await says.message(JSON.stringify(first ?? null));
      const second = await wire.outcome("options", call.requestPermission(options, { _meta: { asked: true } }));
      await says.message(JSON.stringify(second ?? null));
      await call.complete();
    },
    handling({ "session/request_permission": handler }),
  );
}

function elicitation(name: string, handler: Elicitation): Scenario {
  return turn(
    `elicitation: ${name}`,
    async ({ turn: says }) => {
      const call = await says.toolCall({ title: "Deploy" });
      const form = await elicitForm(says, {
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
      await says.message(`form: ${form.action}`);
      const url = await elicitUrl(says, { message: "Log in", url: "https://example.com/login" });
      await says.message(`url: ${url.action}`);
      if (url.action === "accept") await url.complete();
      const named = await elicitUrl(says, { message: "Pay", url: "https://example.com", elicitationId: "mine" });
      if (named.action === "accept") await named.complete();
    },
    handling({ "elicitation/create": handler }),
  );
}

const questionByHand = {
  mode: "form",
  message: "By hand",
  requestedSchema: { type: "object", properties: {} },
} as const;
const toolCall: ToolCallUpdate = { toolCallId: "x", title: "X", kind: "execute", status: "pending" };

/** How often the user was asked to remember something. */
let asked = 0;

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
  turn("permission: asked by wire name, at once", async ({ client, session, turn: says }, wire) => {
    const question = { toolCall, options: [...options], _meta: { by: "hand" } };
    await Promise.all([
      wire.outcome("client", client.request("session/request_permission", question)),
      wire.outcome("session", session.client.request("session/request_permission", question)),
      wire.outcome("no options", client.request("session/request_permission", { toolCall, options: [] })),
    ]);
    await says.message("asked");
  }),
  turn(
    "permission: remembered",
    async ({ turn: says }) => {
      const call = await says.toolCall({ title: "Edit" });
      for (let at = 0; at < 4; at++) {
        const { allowed, remembered } = await askPermission(call, { remember: "edit" });
        await says.message(`${allowed} ${remembered}`);
      }
      const other = await askPermission(call, { remember: "other", options });
      await says.message(String(other.allowed));
      await says.message(String((await askPermission(call)).allowed));
      await says.message(String((await askPermission(call, { options: permissionOptions })).allowed));
    },
    handling({
      "session/request_permission": ({ options: all }) => {
        asked++;
        const option = asked === 1 ? all[0] : (all.find(({ kind }) => kind === "allow_always") ?? all.at(-1));
        return { outcome: { outcome: "selected", optionId: option?.optionId ?? "" } };
      },
    }),
  ),
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
    const agent = await wire.connect(
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
    const agent = await wire.connect(
      agentThat(async (_params, { turn: says, client }) => {
        const form = await elicitForm(says, { message: "?", schema: { properties: {} } });
        const url = await elicitUrl(says, { message: "?", url: "https://example.com" });
        await says.message(`${form.action} ${url.action}`);
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
