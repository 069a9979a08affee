import { useAgent, useAgentStore, useSessionList } from "@acp/react";
import { type ReactElement, useCallback, useEffect, useState } from "react";

import { noteSession, readFragment } from "./address.ts";
import { Chat } from "./chat.tsx";
import { errorText } from "./error-text.ts";

/** The whole page. */
export function Page({ cwd }: { readonly cwd: () => string }): ReactElement {
  const store = useAgentStore();
  const { status, agent, error, retry } = useAgent();
  const [session, setSession] = useState<string>();
  const [problem, setProblem] = useState("");
  const show = useCallback((id: string) => {
    noteSession(id);
    setSession(id);
    setProblem("");
  }, []);
  const open = useCallback(
    async (id: string) => {
      try {
        if (store.session(id) === undefined) await store.loadSession({ sessionId: id, cwd: cwd() });
        show(id);
      } catch (reason) {
        noteSession(undefined);
        setProblem(`The session cannot be opened: ${errorText(reason)}`);
      }
    },
    [store, show, cwd],
  );
  const create = async (): Promise<void> => {
    try {
      show((await store.newSession({ cwd: cwd() })).id);
    } catch (reason) {
      setProblem(`There is no new session: ${errorText(reason)}`);
    }
  };
  const isOpen = agent !== undefined;
  useEffect(() => {
    const { session: noted } = readFragment();
    if (isOpen && noted !== undefined) void open(noted);
  }, [isOpen, open]);
  return (
    <div className="page">
      <header>
        <h1>{agent?.info?.title ?? agent?.info?.name ?? "acp"}</h1>
        <span role="status" className={`status ${status}`}>
          {status}
        </span>
        <button onClick={() => void create()} disabled={!isOpen}>
          New session
        </button>
      </header>
      {status === "failed" || status === "lost" || problem !== "" ? (
        <div role="alert" className="problem">
          {problem === "" ? errorText(error) : problem} {isOpen ? null : <button onClick={retry}>Try again</button>}
        </div>
      ) : null}
      <nav aria-label="Sessions">
        <Sessions current={session} onOpen={open} />
      </nav>
      <main>{session === undefined ? <p className="empty">No session is open.</p> : <Chat session={session} />}</main>
    </div>
  );
}

function Sessions(props: {
  readonly current: string | undefined;
  readonly onOpen: (id: string) => Promise<void>;
}): ReactElement | null {
  const { agent } = useAgent();
  const { sessions, error, more, refresh } = useSessionList();
  useEffect(refresh, [props.current]);
  if (agent?.capabilities.sessionCapabilities?.list == null || error !== undefined) return null;
  return (
    <ul>
      {sessions.map(({ sessionId, title }) => (
        <li key={sessionId}>
          <button aria-current={sessionId === props.current} onClick={() => void props.onOpen(sessionId)}>
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
