import { randomUUID } from "node:crypto";

import type { ProxyPeer } from "@acp/proxy";

import type { HostSession, PolicyAction } from "#runtime";

import { askedOfPolicy } from "../../protocol/permission/policy-question.ts";
import { membersOf } from "../../text/json-text.ts";

const yes = "allow";

/**
 * Asks the client about a command or a file that no rule decides, with what is really going to happen. `false` for any answer
 * but yes.
 */
export async function askClient(
  client: ProxyPeer | undefined,
  action: PolicyAction,
  { id: sessionId }: HostSession,
  signal: AbortSignal,
): Promise<boolean> {
  if (client === undefined) return false;
  const toolCallId = `acp-serve-${randomUUID()}`;
  const toolCall = { toolCallId, status: "pending", ...describe(action) };
  // Clients know calls by updates; a question alone may be about a call that they have never seen.
  await client.notify("session/update", { sessionId, update: { sessionUpdate: "tool_call", ...toolCall } });
  let isAllowed = false;
  try {
    const answer = await client.request("session/request_permission", { sessionId, toolCall, options }, { signal });
    isAllowed = isYes(answer);
  } finally {
    const status = isAllowed ? "completed" : "failed";
    await client
      .notify("session/update", { sessionId, update: { sessionUpdate: "tool_call_update", toolCallId, status } })
      .catch(() => {});
  }
  return isAllowed;
}

const options = [
  { optionId: yes, name: "Allow once", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

function describe(action: PolicyAction): object {
  const { kind, commands, directories, paths, variables } = askedOfPolicy(action);
  const [cwd, ...more] = directories;
  const env = variables.length === 0 ? {} : { env: variables };
  if (commands.length === 0) {
    const title = `${kind === "read" ? "Read" : "Write"} ${paths.join(", ")}`;
    return { title, kind, locations: paths.map((path) => ({ path })), rawInput: { paths, ...env } };
  }
  const rawInput = { command: commands.join("\n"), cwd, ...(more.length === 0 ? {} : { paths: more }), ...env };
  return { title: commands.join("\n"), kind, rawInput };
}

function isYes(answer: unknown): boolean {
  const { outcome, optionId } = membersOf(membersOf(answer)["outcome"]);
  return outcome === "selected" && optionId === yes;
}
