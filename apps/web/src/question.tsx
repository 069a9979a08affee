import { describeQuestion, visibleText } from "@acp/core/state";
import { type PermissionQuestion, useAgentStore, useSession } from "@acp/react";
import { kindOf, nameOf, withShownContent } from "@acp/render";
import { flatLines, permissionLines } from "@acp/render/question";
import { showContent } from "@acp/render/session";
import { type ReactElement, useMemo } from "react";

interface QuestionProps {
  readonly question: PermissionQuestion;
  /** Which of the open questions it is. */
  readonly place: string;
}

/** A question for permission, complete: what the user judges is never cut, and the words of the agent are marked as such. */
export function Question({ question, place }: QuestionProps): ReactElement {
  const { sessionId, toolCall, options, answer, cancel } = question;
  const cwd = useAgentStore().session(sessionId)?.cwd ?? "";
  const known = useSession(sessionId, { select: ({ timeline }) => timeline.find("tool_call", toolCall.toolCallId) });
  const lines = useMemo(() => {
    const asked = withShownContent(describeQuestion({ toolCall }, known), (content) => showContent(content));
    return flatLines(permissionLines({ sessionId, isOfAgent: false, asked }, cwd));
  }, [sessionId, toolCall, known, cwd]);
  return (
    <section className="question" role="group" aria-label={`Question ${place}`}>
      <p className="place">{place}</p>
      <div className="facts" tabIndex={0} role="region" aria-label="What the agent asks for">
        {lines.map(({ label, text, tone }, index) => (
          <div key={index} className={tone}>
            {label}
            {visibleText(text)}
          </div>
        ))}
      </div>
      <div className="answers">
        {options.map((option) => (
          <button key={option.optionId} data-kind={option.kind} onClick={() => answer(option.optionId)}>
            {kindOf(option)}
            {nameOf(option) === "" ? null : <small> {nameOf(option)}</small>}
          </button>
        ))}
        <button onClick={cancel}>No answer</button>
      </div>
    </section>
  );
}
