import type { JSONRPCMessage } from "@modelcontextprotocol/client";

import { describeError } from "../describe-error.ts";
import { isObject } from "../is-object.ts";
import { adaptSchema } from "./adapt-schema.ts";

type Members = Readonly<Record<string, unknown>>;

/** The longest list of tools that is read. A model can be given some hundreds. */
const maxTools = 1_000;

/**
 * Takes the tools out of a message that no model can be given, or that the MCP client would refuse: it would refuse all of
 * them for one. `leaveOut` gets the name of each, and the reason.
 */
export function withUsableTools(
  message: JSONRPCMessage,
  leaveOut: (name: string, reason: string) => void,
): JSONRPCMessage {
  if (!("result" in message) || !isObject(message.result)) return message;
  const tools: unknown = message.result["tools"];
  if (!Array.isArray(tools)) return message;
  const usable = tools.slice(0, maxTools).flatMap((tool: unknown, index) => {
    try {
      return [usableTool(tool)];
    } catch (error) {
      leaveOut(nameOf(tool) ?? `number ${index + 1}`, describeError(error));
      return [];
    }
  });
  if (tools.length > maxTools)
    leaveOut(`number ${maxTools + 1}`, `the server has ${tools.length} tools; more than ${maxTools} are too many`);
  return { ...message, result: { ...message.result, tools: usable } };
}

function nameOf(tool: unknown): string | undefined {
  if (!isObject(tool)) return undefined;
  const { name } = tool;
  return typeof name === "string" && name !== "" ? name.slice(0, 100) : undefined;
}

/** @throws {Error} why it is none. */
function usableTool(tool: unknown): Members {
  if (!isObject(tool)) throw new Error("it is no object");
  if (nameOf(tool) === undefined) throw new Error("it has no name");
  const { name, title, description, inputSchema, annotations } = tool;
  if (inputSchema === undefined || inputSchema === null) throw new Error("it has no inputSchema");
  if (!isObject(inputSchema)) throw new Error("its inputSchema is no object");
  const hints = isObject(annotations) ? annotations : {};
  // Its outputSchema is left out: the client would refuse results that do not fit it.
  return {
    name,
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    inputSchema: adaptSchema(inputSchema),
    annotations: {
      ...(typeof hints["title"] === "string" && { title: hints["title"] }),
      ...(typeof hints["readOnlyHint"] === "boolean" && { readOnlyHint: hints["readOnlyHint"] }),
    },
  };
}
