import { decode, formatIssue } from "@acp/schema";
import { decodeSessionUpdate } from "@acp/schema/v1/unstable";
import { decodeSessionUpdate as decodeSessionUpdate2 } from "@acp/schema/v2/unstable";
import { modelMessageSchema } from "ai";

import { isObject } from "../../is-object.ts";

/** Says why a line of a journal is no record: it would make each later load, or each later request to the model, fail. */
export function checkRecord(value: unknown): string | undefined {
  if (!isObject(value)) return "it is no record";
  const { type, messages, message, version, update, settings, costs } = value;
  switch (type) {
    case "messages":
    case "compacted":
      if (!Array.isArray(messages)) return "messages is no list";
      return messages
        .map((one, index) => checkMessage(one, `messages/${index}`))
        .find((reason) => reason !== undefined);
    case "part":
      return checkMessage(message, "message");
    case "step":
      return undefined;
    case "shown":
      return checkShown(version, update);
    case "settings":
      return isObject(settings) ? undefined : "settings is no object";
    case "costs":
      return isObject(costs) ? undefined : "costs is no object";
    default:
      return typeof type === "string" ? `it is of the type ${type.slice(0, 40)}, which is not known` : "it has no type";
  }
}

function checkMessage(message: unknown, name: string): string | undefined {
  return modelMessageSchema.safeParse(message).success ? undefined : `${name} is no message of a model`;
}

function checkShown(version: unknown, update: unknown): string | undefined {
  if (version !== 1 && version !== 2) return "version is neither 1 nor 2";
  const decoded = decode<unknown>(version === 1 ? decodeSessionUpdate : decodeSessionUpdate2, update);
  // An update of which a member is wrong is read as one that is not known.
  const issue = decoded.ok ? decoded.issues.find(({ action }) => action === "unknown") : decoded;
  return issue === undefined ? undefined : `update is none of version ${version}: ${formatIssue(issue)}`;
}
