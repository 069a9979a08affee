import { inspectUrl } from "@acp/core/elicitation";
import { visibleText } from "@acp/core/state";
import type { Elicitation } from "@acp/react";
import type { ReactElement } from "react";

type UrlRequest = Extract<Elicitation["request"], { readonly mode: "url" }>;

/** A page that the user is asked to open: with its whole address, its host set apart, and what is odd about it. */
export function UrlQuestion(props: {
  readonly question: Elicitation;
  readonly request: UrlRequest;
  readonly place: string;
}): ReactElement {
  const { message, url } = props.request;
  const { answer } = props.question;
  const { parts, host, warnings } = inspectUrl(url);
  // What is no page of the web may start a program.
  const isPage = !warnings.some(({ kind }) => kind === "not-a-url" || kind === "unusual-scheme");
  return (
    <section className="question" role="group" aria-label={`Question ${props.place}`}>
      <p className="place">{props.place}</p>
      <div className="facts" tabIndex={0} role="region" aria-label="What the agent asks for">
        <div className="title">? The agent asks you to open a page</div>
        <div className="dim">the agent says: {visibleText(message)}</div>
        <div className="url">
          {visibleText(parts.before)}
          <strong>{visibleText(parts.host)}</strong>
          {visibleText(parts.after)}
        </div>
        {host === "" ? null : <div>Host: {visibleText(host)}</div>}
        {warnings.map((warning) => (
          <div key={warning.kind} className="danger">
            ! {warning.message}
          </div>
        ))}
      </div>
      <div className="answers">
        {isPage ? (
          <button
            onClick={() => {
              window.open(url, "_blank", "noopener,noreferrer");
              answer({ action: "accept" });
            }}
          >
            Open it
          </button>
        ) : null}
        <button onClick={() => answer({ action: "decline" })}>Decline</button>
        <button onClick={() => answer({ action: "cancel" })}>No answer</button>
      </div>
    </section>
  );
}
