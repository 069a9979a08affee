import type { Struct } from "./go-json.ts";

/** The structs of the Go dialect's document. */
const clientInfo: Struct = { fields: { name: "string", version: "string" } };
const clientCapabilities: Struct = {
  fields: { "terminal?": "bool", "fs.readTextFile?": "bool", "fs.writeTextFile?": "bool" },
};
const promptCapabilities: Struct = { fields: { "image?": "bool", "audio?": "bool", "embeddedContext?": "bool" } };
const agentCapabilities: Struct = { fields: { "loadSession?": "bool", "promptCapabilities?": promptCapabilities } };
const session: Struct = { fields: { id: "string", "metadata?": "map" } };
const part: Struct = { fields: { type: "string", "text?": "string", "data?": "string", "mimeType?": "string" } };
const command: Struct = { fields: { name: "string", "input?": "string" }, pointer: true };
const toolCall: Struct = {
  fields: { id: "string", name: "string", status: "string", "input?": "string", "output?": "string" },
  pointer: true,
};
const update: Struct = {
  fields: { type: "string", "role?": "string", "chunk?": "string", "toolCall?": toolCall },
};

export const initializeRequest: Struct = {
  fields: { protocolVersion: "string", clientInfo, capabilities: clientCapabilities },
};
export const initializeResponse: Struct = {
  fields: { protocolVersion: "string", agentInfo: clientInfo, capabilities: agentCapabilities },
};
export const newSessionRequest: Struct = { fields: { "metadata?": "map" } };
export const newSessionResponse: Struct = { fields: { session } };
export const promptRequest: Struct = {
  fields: { sessionId: "string", prompt: { list: part }, "command?": command },
};
export const promptResponse: Struct = { fields: { stopReason: "string" } };
export const sessionNotification: Struct = { fields: { sessionId: "string", update } };
export const responseError: Struct = { fields: { code: "int", message: "string", "data?": "any" } };
