import { type ReactElement, useEffect, useRef } from "react";

import { Form } from "./form.tsx";
import { useQuestions } from "./open-questions.ts";
import { Permission } from "./permission.tsx";
import { UrlQuestion } from "./url-question.tsx";

/** How long keys do not answer a question that has just come, in milliseconds: they were meant for something else. */
const grace = 500;

/** What the agent asks in a session. The keys 1 to 9 choose an answer of the first question, unless the user writes somewhere. */
export function Questions({ session }: { readonly session: string | undefined }): ReactElement | null {
  const all = useQuestions(session);
  const place = useRef<HTMLDivElement>(null);
  const first = all[0]?.id;
  const since = useRef(0);
  useEffect(() => {
    since.current = performance.now();
    return () => {
      // The button that had the focus is gone with its question.
      if (first !== undefined && (document.activeElement ?? document.body) === document.body)
        document.querySelector<HTMLElement>(".timeline")?.focus({ preventScroll: true });
    };
  }, [first]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (!/^[1-9]$/u.test(key) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (target instanceof Element && target.closest("input, textarea, select") !== null) return;
      if (performance.now() - since.current < grace) return;
      const answers = place.current?.querySelector(".answers")?.querySelectorAll("button") ?? [];
      answers[Number(key) - 1]?.click();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  if (all.length === 0) return null;
  return (
    <div className="questions" ref={place}>
      {all.map((question, index) => {
        const name = `${index + 1} of ${all.length}`;
        const { id } = question;
        if ("toolCall" in question)
          return <Permission key={id} question={question} place={name} isFirst={index === 0} />;
        const { request } = question;
        if (request.mode === "form") return <Form key={id} question={question} request={request} place={name} />;
        if (request.mode === "url") return <UrlQuestion key={id} question={question} request={request} place={name} />;
        return null;
      })}
    </div>
  );
}
