import type { Received } from "@acp/schema/v1/unstable/types";
import { sharedAbort } from "../../base/abort.ts";
import type { SubagentSessions, SessionHost } from "../../rpc/role.ts";
import { isSupported } from "@acp/schema";

/** How many sessions of subagents stay open at most: an agent does not say when it is done with one. */
const maxOpen = 1000;

/** Opens the sessions of subagents, each with the update that announces it. The client uses them like any other. */
export function createSubagentSessions(host: SessionHost, capabilities: object): SubagentSessions {
  /** Announced by an update that waits for its turn: requests for them wait as well. */
  const expected = new Set<string>();
  /** The open ones, the oldest first, with a function that closes each. */
  const open = new Map<string, () => void>();

  const readSubagent = (method: string, params: unknown): Received.SubagentUpdate | undefined => {
    if (method !== "session/update" || !isSupported(capabilities, ["subagents"])) return undefined;
    const { update } = params as Received.SessionNotification;
    return update.sessionUpdate === "subagent_update" ? update : undefined;
  };

  /** Opens one, which ends with its parent at the latest. */
  const openSubagent = ({ sessionId, cwd, additionalDirectories }: Received.SubagentUpdate, parentId: string): void => {
    const parent = host.get(parentId);
    if (parent === undefined || host.get(sessionId) !== undefined) return;
    const session = host.open(sessionId, { cwd: cwd ?? parent.cwd, additionalDirectories }, parentId);
    // Any number of them may end with one session.
    const end = sharedAbort(parent.signal);
    const close = (): void => host.close(sessionId, end.reason);
    end.addEventListener("abort", close);
    const forget = (): void => {
      open.delete(sessionId);
      end.removeEventListener("abort", close);
    };
    session.signal.addEventListener("abort", forget, { once: true });
    open.set(sessionId, () =>
      host.close(sessionId, new DOMException("The agent has announced too many subagents since", "AbortError")),
    );
    if (open.size > maxOpen) open.values().next().value?.();
  };

  return {
    // Also for a request that was started before its turn: requests do not wait for ever.
    expects: (sessionId) => expected.has(sessionId),
    onQueued: (method, params) => {
      const subagent = readSubagent(method, params);
      if (subagent === undefined || host.get((params as Received.SessionNotification).sessionId) === undefined) return;
      if (host.get(subagent.sessionId) !== undefined) return;
      expected.add(subagent.sessionId);
      host.expect(subagent.sessionId);
    },
    onHandled: (method, params) => {
      const subagent = readSubagent(method, params);
      if (subagent === undefined) return;
      const { sessionId } = subagent;
      const wasExpected = expected.delete(sessionId);
      openSubagent(subagent, (params as Received.SessionNotification).sessionId);
      if (wasExpected && host.get(sessionId) === undefined) host.giveUp(sessionId);
    },
  };
}
