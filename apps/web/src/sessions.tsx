import { joinText, type SessionState } from "@acp/core/state";
import { useAgent, useSession, useSessionList } from "@acp/react";
import { type ReactElement, useEffect } from "react";

import { useAskingSessions } from "./questions/open-questions.ts";

/** The sessions that the agent keeps. */
export function Sessions(props: {
  readonly current: string | undefined;
  readonly onOpen: (id: string) => Promise<void>;
}): ReactElement | null {
  const { agent } = useAgent();
  const { sessions, error, more, refresh } = useSessionList();
  const asking = useAskingSessions();
  useEffect(refresh, [props.current]);
  if (agent?.capabilities.sessionCapabilities?.list == null || error !== undefined)
    return <p className="dim">This agent has no list of sessions.</p>;
  return (
    <ul>
      {sessions.map(({ sessionId, title }) => (
        <li key={sessionId}>
          <button aria-current={sessionId === props.current} onClick={() => void props.onOpen(sessionId)}>
            {asking.has(sessionId) ? "? " : ""}
            <Name id={sessionId} title={title ?? undefined} />
          </button>
        </li>
      ))}
      {more === undefined ? null : (
        <li>
          <button onClick={more}>More</button>
        </li>
      )}
    </ul>
  );
}

/** How much of a prompt is its name, in UTF-16 code units. */
const longestName = 80;

/** What the agent calls a session. An open one has its first prompt for a name until then. */
function Name({ id, title }: { readonly id: string; readonly title: string | undefined }): string {
  const known = useSession(id, { select: nameIn });
  return title ?? known ?? id;
}

function nameIn({ info, timeline }: SessionState): string | undefined {
  const first = timeline.at(0);
  const prompt = first?.type === "user_message" ? joinText(first.chunks).trim().slice(0, longestName) : "";
  return info.title ?? (prompt === "" ? undefined : prompt);
}
