import { joinText, lineDiff, terminalText, visibleText } from "@acp/core/state";
import type { SessionState, TimelineItem } from "@acp/core/state";
import { usePermissions, usePrompt, useSession } from "@acp/react";
import { type FormEvent, type KeyboardEvent, lazy, memo, type ReactElement, Suspense, useEffect, useRef } from "react";

import { errorText } from "./error-text.ts";

/** What judges a question is a third of the page: it comes after the rest, long before the first question. */
const loading = import("./question.tsx");
const Question = lazy(async () => ({ default: (await loading).Question }));

/** A session: what was said and done, the open questions, and where to write. */
export function Chat({ session }: { readonly session: string }): ReactElement {
  const length = useSession(session, { select: ({ timeline }) => timeline.length });
  const questions = usePermissions(session);
  const { send, cancel, running, error } = usePrompt(session);
  const isBusy = useSession(session, { select: runsElsewhere }) || running;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: "end" }), [length, questions.length]);
  return (
    <>
      <div className="timeline" role="log" aria-label="Conversation" tabIndex={0}>
        {Array.from({ length }, (_, index) => (
          <Item key={index} session={session} index={index} />
        ))}
        {error === undefined ? null : <p role="alert">{errorText(error)}</p>}
        <div ref={end} />
      </div>
      <Suspense fallback={<p role="status">The agent asks something.</p>}>
        {questions.map((question, index) => (
          <Question key={question.id} question={question} place={`${index + 1} of ${questions.length}`} />
        ))}
      </Suspense>
      <Composer running={isBusy} onSend={(text) => void send(text).catch(() => {})} onCancel={cancel} />
    </>
  );
}

const Item = memo(({ session, index }: { readonly session: string; readonly index: number }): ReactElement | null => {
  const item = useSession(session, { select: ({ timeline }) => timeline.at(index) });
  if (item === undefined) return null;
  switch (item.type) {
    case "user_message":
      return <div className="user">{joinText(item.chunks)}</div>;
    case "agent_message":
      return <div className="agent">{joinText(item.chunks)}</div>;
    case "agent_thought":
      return (
        <details className="thought">
          <summary>Thought</summary>
          {joinText(item.chunks)}
        </details>
      );
    case "tool_call":
      return <Call session={session} call={item} />;
    case "plan":
      return (
        <ul className="plan" aria-label="Plan">
          {item.entries.map(({ content, status }, at) => (
            <li key={at} data-status={status}>
              {content}
            </li>
          ))}
        </ul>
      );
    case "notice":
      return <p className="notice">{[item.title, item.description].filter(Boolean).join(": ")}</p>;
    default:
      return null;
  }
});

/** Whether a turn runs that this page has not begun, such as one from before a reload: a hub tells. */
function runsElsewhere({ info }: SessionState): boolean {
  const hub: unknown = info._meta?.["acp-hub"];
  const state: unknown = typeof hub === "object" && hub !== null && "state" in hub ? hub.state : undefined;
  return state === "running" || state === "requires_action";
}

type CallItem = Extract<TimelineItem, { readonly type: "tool_call" }>;

function Call({ session, call }: { readonly session: string; readonly call: CallItem }): ReactElement {
  const terminals = useSession(session, {
    select: (state) => state.terminals.filter(({ toolCallId }) => toolCallId === call.toolCallId),
  });
  return (
    <details className="call" open={call.status !== "completed"}>
      <summary>
        <span className={`mark ${call.status}`}>{call.status}</span> {visibleText(call.title)}
      </summary>
      {call.content.map((content, at) => {
        if (content.type === "diff") return <Diff key={at} {...content} />;
        const text = content.type === "content" && content.content.type === "text" ? content.content.text : "";
        return text === "" ? null : <pre key={at}>{text}</pre>;
      })}
      {terminals.map(({ terminalId, output }) => (
        <pre key={terminalId}>{terminalText(output)}</pre>
      ))}
    </details>
  );
}

function Diff({
  path,
  oldText,
  newText,
}: {
  readonly path: string;
  readonly oldText?: string | null | undefined;
  readonly newText: string;
}): ReactElement {
  return (
    <figure>
      <figcaption>{visibleText(path)}</figcaption>
      <pre>
        {lineDiff(oldText, newText).map(([sign, line], at) => (
          <span key={at} className={sign === "+" ? "added" : sign === "-" ? "removed" : undefined}>
            {`${sign} ${line.replace(/\n$/u, "")}\n`}
          </span>
        ))}
      </pre>
    </figure>
  );
}

function Composer(props: {
  readonly running: boolean;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}): ReactElement {
  const send = (form: HTMLFormElement): void => {
    const prompt = new FormData(form).get("prompt");
    if (typeof prompt !== "string" || prompt.trim() === "") return;
    props.onSend(prompt.trim());
    form.reset();
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // An input method composes with Enter, too.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (event.currentTarget.form !== null) send(event.currentTarget.form);
  };
  return (
    <form
      className="composer"
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        send(event.currentTarget);
      }}
    >
      <textarea name="prompt" aria-label="Prompt" placeholder="Ask…" rows={2} onKeyDown={onKey} />
      <button>Send</button>
      {props.running ? (
        <button type="button" onClick={props.onCancel}>
          Stop
        </button>
      ) : null}
    </form>
  );
}
