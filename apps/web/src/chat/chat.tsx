import { joinText, type SessionState } from "@acp/core/state";
import { type AgentStore, usePrompt, useSession } from "@acp/react";
import { lazy, type ReactElement, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";

import { errorText } from "../error-text.ts";
import { Composer } from "../prompt/composer.tsx";
import { createPromptQueue, type PromptQueue } from "../prompt/prompt-queue.ts";
import { useQuestions } from "../questions/open-questions.ts";
import { Settings } from "../prompt/settings.tsx";
import { Timeline } from "./timeline.tsx";

/** What judges a question comes after the rest, long before the first question. */
const loading = import("../questions/questions.tsx");
const Questions = lazy(async () => ({ default: (await loading).Questions }));

/** How much of an answer a screen reader gets at its end, in UTF-16 code units: the rest is in the conversation. */
const announced = 500;

/** One for each store: what waits in a session stays while the user looks at another one. */
const queues = new WeakMap<AgentStore, PromptQueue>();

function queueOf(store: AgentStore): PromptQueue {
  const known = queues.get(store) ?? createPromptQueue(store);
  queues.set(store, known);
  return known;
}

/** A session: what was said and done, the open questions, and where to write. Without one, what the agent asks meanwhile. */
export function Chat(props: { readonly session: string | undefined; readonly store: AgentStore }): ReactElement {
  const { session, store } = props;
  if (session !== undefined) return <OpenChat session={session} queue={queueOf(store)} />;
  return (
    <>
      <p className="empty">No session is open. Begin a new one, or choose one of the list.</p>
      <Suspense fallback={null}>
        <Questions session={undefined} />
      </Suspense>
    </>
  );
}

interface ChatProps {
  readonly session: string;
  readonly queue: PromptQueue;
}

function OpenChat({ session, queue }: ChatProps): ReactElement {
  const { cancel, running, error } = usePrompt(session);
  const isBusy = useSession(session, { select: runsElsewhere }) || running;
  const asks = useQuestions(session).length;
  return (
    <>
      <Timeline session={session}>
        {error === undefined ? null : (
          <p className="item problem" role="alert">
            {errorText(error)}
          </p>
        )}
        {isBusy && asks === 0 ? <p className="item busy">The agent works…</p> : null}
      </Timeline>
      <Announcer session={session} isBusy={isBusy} asks={asks} />
      <Suspense fallback={asks === 0 ? null : <p>The agent asks something.</p>}>
        <Questions session={session} />
      </Suspense>
      <Waiting session={session} queue={queue} isRunning={running} />
      <Composer session={session} isBusy={isBusy} onSend={(prompt) => queue.send(session, prompt)} onCancel={cancel} />
      <Settings session={session} />
    </>
  );
}

/** The prompts that wait for the end of the turn. */
function Waiting(props: ChatProps & { readonly isRunning: boolean }): ReactElement | null {
  const { session, queue, isRunning } = props;
  const read = (): ReturnType<PromptQueue["waiting"]> => queue.waiting(session);
  const prompts = useSyncExternalStore(queue.subscribe, read, read);
  if (prompts.length === 0) return null;
  return (
    <ul className="waiting" aria-label="Waiting">
      {prompts.map((prompt, index) => (
        <li key={index}>
          <span>{prompt.text}</span>
          {isRunning && queue.canSteer() ? (
            <button onClick={() => void queue.steer(session, prompt)}>Say it now</button>
          ) : null}
          <button onClick={() => queue.remove(session, prompt)}>Take back</button>
        </li>
      ))}
    </ul>
  );
}

/** Tells a screen reader what happens, without reading each piece of a text that grows. */
function Announcer(props: { readonly session: string; readonly isBusy: boolean; readonly asks: number }): ReactElement {
  const { session, isBusy, asks } = props;
  const [said, say] = useState("");
  const wasBusy = useRef(isBusy);
  const last = useSession(session, { select: isBusy ? () => undefined : lastAnswer });
  useEffect(() => {
    if (asks > 0) say(asks === 1 ? "The agent asks a question." : `The agent asks ${asks} questions.`);
    else if (isBusy) say("The agent works.");
    else if (wasBusy.current) say(`The agent has finished. ${(last ?? "").slice(0, announced)}`);
    wasBusy.current = isBusy;
  }, [isBusy, asks]);
  return (
    <p className="hidden" role="status">
      {said}
    </p>
  );
}

function lastAnswer({ timeline }: SessionState): string | undefined {
  const item = timeline.at(-1);
  return item?.type === "agent_message" ? joinText(item.chunks) : undefined;
}

/** Whether a turn runs that this page has not begun, such as one from before a reload: a hub tells. */
function runsElsewhere({ info }: SessionState): boolean {
  const hub: unknown = info._meta?.["acp-hub"];
  const state: unknown = typeof hub === "object" && hub !== null && "state" in hub ? hub.state : undefined;
  return state === "running" || state === "requires_action";
}
