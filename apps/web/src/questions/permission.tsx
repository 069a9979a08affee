import { describeQuestion, visibleText } from "@acp/core/state";
import { type PermissionQuestion, useAgentStore, useSession } from "@acp/react";
import { kindOf, nameOf, withShownContent } from "@acp/render";
import { flatLines, permissionLinesWith } from "@acp/render/question";
import { showContent } from "@acp/render/session";
import { type ReactElement, useEffect, useMemo, useState } from "react";

type Redact = Parameters<typeof permissionLinesWith>[2];

interface PermissionProps {
  readonly question: PermissionQuestion;
  /** Which of the open questions it is. */
  readonly place: string;
  /** Whether keys answer it. */
  readonly isFirst: boolean;
}

/** A question for permission, complete: what the user judges is never cut, and the words of the agent are marked as such. */
export function Permission({ question, place, isFirst }: PermissionProps): ReactElement {
  const { sessionId, toolCall, options, answer, cancel } = question;
  const cwd = useAgentStore().session(sessionId)?.cwd ?? "";
  const known = useSession(sessionId, { select: ({ timeline }) => timeline.find("tool_call", toolCall.toolCallId) });
  const asked = useMemo(
    () => withShownContent(describeQuestion({ toolCall }, known), (content) => showContent(content)),
    [toolCall, known],
  );
  const redact = useRedaction(asked.facts.some(({ about }) => about === "variable"));
  const lines = useMemo(
    () => redact && flatLines(permissionLinesWith({ sessionId, isOfAgent: false, asked }, cwd, redact)),
    [sessionId, asked, cwd, redact],
  );
  // Nobody can answer before all of it is there.
  if (lines === undefined) return <p className="question">The agent asks something.</p>;
  return (
    <section className="question" role="group" aria-label={`Question ${place}`}>
      <p className="place">{place}</p>
      <div className="facts" tabIndex={0} role="region" aria-label={`What the agent asks for: ${place}`}>
        {lines.map(({ label, text, tone }, index) => (
          <div key={index} className={tone}>
            {label}
            {visibleText(text)}
          </div>
        ))}
      </div>
      <div className="answers">
        {options.map((option, index) => (
          <button key={option.optionId} data-kind={option.kind} onClick={() => answer(option.optionId)}>
            {kindOf(option)}
            {nameOf(option) === "" ? null : <small> {nameOf(option)}</small>}
            {isFirst && index < 9 ? <kbd aria-hidden="true">{index + 1}</kbd> : null}
          </button>
        ))}
        <button onClick={cancel}>No answer</button>
      </div>
    </section>
  );
}

const asItIs: Redact = (_name, value) => value;

/** What hides secrets in variables. It is large, and few questions have variables: it is loaded for the first one. */
function useRedaction(isNeeded: boolean): Redact | undefined {
  const [redact, setRedact] = useState<{ readonly with: Redact }>();
  useEffect(() => {
    if (!isNeeded) return;
    // A value that cannot be checked is shown: a question has to be complete.
    void import("./redaction.ts").then(
      ({ redactVariable }) => setRedact({ with: redactVariable }),
      () => setRedact({ with: asItIs }),
    );
  }, [isNeeded]);
  return isNeeded ? redact?.with : asItIs;
}
