import { useAgent, useSessionList } from "@acp/react";
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
            {title ?? sessionId}
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
