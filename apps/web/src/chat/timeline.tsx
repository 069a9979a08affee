import { joinBlocks } from "@acp/core/state";
import type { MessageItem, TimelineItem } from "@acp/core/state";
import { useSession } from "@acp/react";
import { memo, type ReactElement, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";

import { Call } from "./call.tsx";
import { Block, Formatted, Plain } from "./content.tsx";

/** How many items are drawn: at first, at most while the newest are in view, and more whenever the user asks for earlier ones. */
const step = 60;
/** How many items are drawn at most while the user reads earlier ones. */
const most = 10 * step;
/** How long after a key, a wheel or a finger it is the user who scrolls, in milliseconds: what grows or goes scrolls, too. */
const gesture = 1000;
/** This near to the end, in pixels, the user follows what is new. */
const near = 48;

/** What was said and done. Of a long session, the end is drawn; earlier items when the user asks for them. */
export function Timeline({
  session,
  children,
}: {
  readonly session: string;
  readonly children?: ReactNode;
}): ReactElement {
  const length = useSession(session, { select: ({ timeline }) => timeline.length });
  const log = useRef<HTMLDivElement>(null);
  const inside = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const first = useRef(0);
  const touched = useRef(-Infinity);
  /** The height before earlier items were asked for: what the user reads stays where it is. */
  const height = useRef<number>(undefined);
  const [, draw] = useState(0);
  if (first.current > length) first.current = 0;
  if (follows.current && length - first.current > 2 * step) first.current = length - step;
  useEffect(() => {
    const { current } = log;
    if (current === null || inside.current === null) return undefined;
    const follow = new ResizeObserver(() => {
      if (follows.current) current.scrollTop = current.scrollHeight;
    });
    follow.observe(inside.current);
    follow.observe(current);
    return () => follow.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (height.current === undefined || log.current === null) return;
    log.current.scrollTop += log.current.scrollHeight - height.current;
    height.current = undefined;
  });
  const from = first.current;
  const to = follows.current ? length : Math.min(length, from + most);
  const onScroll = (): void => {
    const { current } = log;
    if (current === null) return;
    const isAtEnd = current.scrollHeight - current.scrollTop - current.clientHeight < near;
    if (isAtEnd && to === length) follows.current = true;
    else if (performance.now() - touched.current < gesture) follows.current = false;
  };
  const onGesture = (): void => void (touched.current = performance.now());
  const showNewest = (): void => {
    follows.current = true;
    draw((count) => count + 1);
  };
  const showEarlier = (): void => {
    follows.current = false;
    height.current = log.current?.scrollHeight;
    first.current = Math.max(0, first.current - step);
    draw((count) => count + 1);
  };
  // What comes is announced in a region of its own: a screen reader would read every piece of a text that grows.
  return (
    <div
      className="timeline"
      role="log"
      aria-live="off"
      aria-label="Conversation"
      tabIndex={0}
      ref={log}
      onScroll={onScroll}
      onWheel={onGesture}
      onTouchMove={onGesture}
      onPointerDown={onGesture}
      onKeyDown={onGesture}
    >
      <div ref={inside}>
        {from === 0 ? null : (
          <button className="earlier" onClick={showEarlier}>{`Show earlier: ${from.toLocaleString("en")} more`}</button>
        )}
        {Array.from({ length: to - from }, (_, index) => (
          <Item key={from + index} session={session} index={from + index} />
        ))}
        {to === length ? (
          children
        ) : (
          <button className="earlier" onClick={showNewest}>
            {`Show the newest: ${(length - to).toLocaleString("en")} more`}
          </button>
        )}
      </div>
    </div>
  );
}

const Item = memo(({ session, index }: { readonly session: string; readonly index: number }): ReactElement | null => {
  const item = useSession(session, { select: ({ timeline }) => timeline.at(index) });
  return item === undefined ? null : <Shown session={session} item={item} />;
});

function Shown({ session, item }: { readonly session: string; readonly item: TimelineItem }): ReactElement | null {
  switch (item.type) {
    case "user_message":
      return (
        <div className="item user">
          <h2 className="hidden">You</h2>
          <Message item={item} isPlain />
        </div>
      );
    case "agent_message":
      return (
        <div className="item agent">
          <h2 className="hidden">Agent</h2>
          <Message item={item} />
        </div>
      );
    case "agent_thought":
      return (
        <details className="item thought">
          <summary>Thought</summary>
          <Message item={item} />
        </details>
      );
    case "tool_call":
      return <Call session={session} call={item} />;
    case "plan":
      return (
        <ul className="item plan" aria-label="Plan">
          {item.entries.map(({ content, status }, at) => (
            <li key={at} data-status={status}>
              {content} <span className="mark">{status.replace("_", " ")}</span>
            </li>
          ))}
        </ul>
      );
    case "notice":
      return <p className="item notice">{[item.title, item.description].filter(Boolean).join(": ")}</p>;
    case "compaction":
      return <p className="item notice">{`The agent summarises the conversation: ${item.status.replace("_", " ")}`}</p>;
    default:
      return null;
  }
}

function Message({ item, isPlain = false }: { readonly item: MessageItem; readonly isPlain?: boolean }): ReactElement {
  return (
    <>
      {joinBlocks(item.chunks).map((block, at) => {
        if (block.type !== "text") return <Block key={at} block={block} />;
        return isPlain ? <Plain key={at} text={block.text} /> : <Formatted key={at} text={block.text} />;
      })}
    </>
  );
}
