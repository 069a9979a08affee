// Steps and answers that several cases have.
import { at, type Json } from "../json.ts";
import { permissionOptions } from "../../support/samples.ts";

/** The agent says a text. */
export const say = (text: string): { readonly update: Json } => ({
  update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
});

/** What an update says. */
export const textOf = (update: Json): unknown => at(update, "content", "text");

/** The agent asks for a permission. */
export const askPermission: { readonly call: string; readonly params: Json } = {
  call: "session/request_permission",
  params: { toolCall: { toolCallId: "c" }, options: permissionOptions },
};

/** What a permission comes to when its turn is cancelled. */
export const cancelledOutcome: Json = { outcome: { outcome: "cancelled" } };
