import { describeOutput, terminalText, visibleText } from "@acp/core/state";
import type { TimelineItem } from "@acp/core/state";
import { useSession } from "@acp/react";
import { describeExit, type ShownDiff } from "@acp/render";
import { cutLine } from "@acp/render/text";
import { showContent } from "@acp/render/session";
import { type ReactElement, useMemo, useState } from "react";

import { Block, Output, Printed } from "./content.tsx";

/** How many lines of a change are drawn before the user asks for more. */
const mostLines = 400;

type CallItem = Extract<TimelineItem, { readonly type: "tool_call" }>;

/** A call of a tool, and what came out of it. */
export function Call({ session, call }: { readonly session: string; readonly call: CallItem }): ReactElement {
  const terminals = useSession(session, {
    select: (state) => state.terminals.filter(({ toolCallId }) => toolCallId === call.toolCallId),
  });
  const { text, exit } = describeOutput(call, {
    hasTerminal: (id) => terminals.some(({ terminalId, output }) => terminalId === id && output.length > 0),
  });
  const ended = terminals.map(({ exitStatus }) => describeExit(exitStatus ?? undefined)).find((one) => one !== "");
  return (
    <details className="item call" open={call.status !== "completed"}>
      <summary>
        <span className={`mark ${call.status}`}>{call.status.replace("_", " ")}</span> {visibleText(call.title)}
        <span className="mark"> {ended ?? describeExit(exit)}</span>
      </summary>
      {call.content.flatMap((content, at) =>
        showContent(content).map((shown, part) => {
          const key = `${at} ${part}`;
          if (shown.kind === "diff") return <Diff key={key} diff={shown} />;
          if (shown.kind === "terminal") return null;
          const { content: block } = shown;
          return block.type === "text" ? <Printed key={key} text={block.text} /> : <Block key={key} block={block} />;
        }),
      )}
      {terminals.map(({ terminalId, output }) => (
        <Output key={terminalId} text={terminalText(output)} />
      ))}
      {text === undefined ? null : <Printed text={text} />}
    </details>
  );
}

function Diff({ diff }: { readonly diff: ShownDiff }): ReactElement {
  const { path, isNew, key } = diff;
  // The key says what the change is.
  const lines = useMemo(() => diff.lines(), [key]);
  const [isWhole, setWhole] = useState(false);
  const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
  const shown = isWhole ? lines : lines.slice(0, mostLines);
  const left = lines.length - shown.length;
  const isCut = shown.some(({ text }) => !isWhole && cutLine(text) !== text);
  return (
    <figure>
      <figcaption>
        {`${isNew ? "new file " : ""}${visibleText(path)} `}
        <span className="added">+{count("added")}</span> <span className="removed">−{count("removed")}</span>
      </figcaption>
      <pre>
        {shown.map(({ kind, text }, at) => (
          <span key={at} className={kind}>{`${isWhole ? text : cutLine(text)}\n`}</span>
        ))}
      </pre>
      {left === 0 && !isCut ? null : (
        <button onClick={() => setWhole(true)}>
          {left === 0 ? "Show the whole lines" : `Show ${left.toLocaleString("en")} more lines`}
        </button>
      )}
    </figure>
  );
}
