import {
  type NotificationMethod,
  type RequestMethod,
  validateNotification,
  validateRequest,
  validateResult,
  type Validation,
} from "@acp/validators/v1/unstable";

import type { Message } from "./message.ts";

/**
 * What is wrong with a line that our side has written: every line of every test has to be one message of JSON-RPC,
 * valid by the strict schema.
 *
 * @param asked The method of the request that an id of ours belongs to.
 */
export function frameProblem(line: string, asked: (id: unknown) => string | undefined): string | undefined {
  let message: Message;
  try {
    message = JSON.parse(line) as Message;
  } catch {
    return `no JSON: ${line}`;
  }
  const { jsonrpc, id, method, params, result, error } = message;
  if (jsonrpc !== "2.0") return `no JSON-RPC: ${line}`;
  if (method !== undefined) {
    if (id !== undefined && typeof id !== "string" && !Number.isInteger(id)) return `no id: ${line}`;
    return invalid(line, () =>
      id === undefined
        ? validateNotification(method as NotificationMethod, params)
        : validateRequest(method as RequestMethod, params),
    );
  }
  if (id === undefined || (result === undefined) === (error === undefined)) return `no response: ${line}`;
  if (error !== undefined) {
    return Number.isInteger(error.code) && typeof error.message === "string" ? undefined : `no error: ${line}`;
  }
  const request = asked(id);
  return request === undefined ? undefined : invalid(line, () => validateResult(request as RequestMethod, result));
}

function invalid(line: string, validate: () => Validation): string | undefined {
  try {
    const checked = validate();
    return checked.ok
      ? undefined
      : `${checked.errors.map(({ path, reason }) => `${path} ${reason}`).join(", ")}: ${line}`;
  } catch (error) {
    // The methods that the schema does not know are extensions.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
