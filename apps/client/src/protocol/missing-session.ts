import { ErrorCode, type RequestError } from "@acp/core";

/** The methods that name an earlier session. */
const methods: ReadonlySet<string | undefined> = new Set(["session/load", "session/resume", "session/delete"]);

/** The words of agents that answer with a code of their own. */
const words =
  /(?:session|thread|conversation|rollout).{0,80}(?:not found|not exist|unknown|no such)|(?:no|unknown) (?:\w+ )?(?:session|thread|conversation)s?\b/iu;

/** Whether an agent refuses a session that it does not have. There is no code for that which all agents use. */
export function isMissingSession({ method, wire, message }: RequestError): boolean {
  if (!methods.has(method)) return false;
  const { code } = wire;
  // The agent does not know the method, whatever else it says.
  if (code === ErrorCode.methodNotFound) return false;
  return code === ErrorCode.resourceNotFound || code === ErrorCode.invalidParams || words.test(message);
}
