import type { ProtocolVersion } from "../agent/agent-words.ts";
import { at, textAt } from "../peer/message.ts";

const info = { name: "scripted-client", version: "1.0.0" };

/** The params of `initialize`. */
export function initializeParams(protocolVersion: ProtocolVersion, capabilities: object): object {
  return protocolVersion === 1
    ? { protocolVersion, clientCapabilities: capabilities, clientInfo: info }
    : { protocolVersion, capabilities, info };
}

/** The title of a question for permission. */
export function titleOfQuestion(params: unknown): string {
  return textAt(params, "title") ?? textAt(params, "toolCall", "title") ?? "";
}

/** Why a session of version 2 has become idle, or the work of version 1 has ended; `undefined` while it works. */
export function endOf(update: unknown): { readonly stopReason?: string; readonly error?: unknown } | undefined {
  if (textAt(update, "sessionUpdate") !== "state_update" || textAt(update, "state") !== "idle") return undefined;
  const stopReason = textAt(update, "stopReason");
  const error = at(update, "error");
  return { ...(stopReason === undefined ? {} : { stopReason }), ...(error === undefined ? {} : { error }) };
}
