import { useAgent, useAgentStore } from "@acp/react";
import { lazy, type ReactElement, Suspense, useCallback, useEffect, useRef, useState } from "react";

import { noteSession, readFragment } from "./address.ts";
import { Connection } from "./connection.tsx";
import { errorText } from "./error-text.ts";
import { useAttention, useNotifications } from "./notify.ts";
import { useAskingSessions } from "./questions/open-questions.ts";
import { Sessions } from "./sessions.tsx";

/** The page connects while the conversation is loaded. */
const loading = import("./chat/chat.tsx");
const Chat = lazy(async () => ({ default: (await loading).Chat }));

/** The whole page. */
export function Page({ cwd }: { readonly cwd: () => string }): ReactElement {
  const store = useAgentStore();
  const { agent } = useAgent();
  const [session, setSession] = useState<string>();
  const [problem, setProblem] = useState("");
  const [isDrawn, draw] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const { canAsk, ask } = useNotifications();
  const asking = useAskingSessions();
  useAttention(asking.size, "acp");
  const show = useCallback((id: string) => {
    noteSession(id);
    setSession(id);
    setProblem("");
    draw(false);
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
    if (isOpen && noted !== undefined && session === undefined) void open(noted);
  }, [isOpen, open, session]);
  const close = (): void => {
    draw(false);
    toggle.current?.focus();
  };
  return (
    <div className="page" onKeyDown={(event) => (isDrawn && event.key === "Escape" ? close() : undefined)}>
      <header>
        <button
          ref={toggle}
          className="drawer"
          aria-expanded={isDrawn}
          aria-controls="sessions"
          onClick={() => draw(!isDrawn)}
        >
          Sessions
        </button>
        <h1>{agent?.info?.title ?? agent?.info?.name ?? "acp"}</h1>
        {canAsk ? <button onClick={ask}>Notify me</button> : null}
        <button onClick={() => void create()} disabled={!isOpen}>
          New session
        </button>
      </header>
      <Connection problem={problem} />
      <nav id="sessions" aria-label="Sessions" className={isDrawn ? "open" : undefined}>
        <Sessions current={session} onOpen={open} />
      </nav>
      {isDrawn ? <div className="curtain" onClick={close} /> : null}
      <main>
        <Suspense fallback={<p className="empty">Loading…</p>}>
          <Chat key={session} session={session} store={store} />
        </Suspense>
      </main>
    </div>
  );
}
