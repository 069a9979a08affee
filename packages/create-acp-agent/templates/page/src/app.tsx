import { useAgent, useAgentStore, usePermissions, usePrompt, useSession } from "@acp/react";
import { type FormEvent, memo, useState } from "react";
import { describe, textOf } from "./view.ts";

export function App({ cwd }: { readonly cwd: string }) {
  const store = useAgentStore();
  const { status, error, retry } = useAgent();
  const [sessionId, setSessionId] = useState<string>();
  const [problem, setProblem] = useState<string>();
  if (status !== "open" && status !== "connecting") {
    return (
      <p role="alert">
        {describe(error)}{" "}
        <button type="button" onClick={retry}>
          Try again
        </button>
      </p>
    );
  }
  if (sessionId !== undefined) return <Chat sessionId={sessionId} />;
  const open = () =>
    store.newSession({ cwd }).then(
      ({ id }) => setSessionId(id),
      (reason: unknown) => setProblem(describe(reason)),
    );
  return (
    <main>
      <button type="button" onClick={() => void open()}>
        New session
      </button>
      {problem === undefined ? null : <p role="alert">{problem}</p>}
    </main>
  );
}

function Chat({ sessionId }: { readonly sessionId: string }) {
  const length = useSession(sessionId, { select: ({ timeline }) => timeline.length });
  const { send, cancel, running, error } = usePrompt(sessionId);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const prompt = new FormData(event.currentTarget).get("prompt");
    event.currentTarget.reset();
    // The hook has the error as well.
    if (typeof prompt === "string" && prompt !== "") send(prompt).catch(() => {});
  };
  return (
    <main>
      <ol>
        {Array.from({ length }, (_, index) => (
          <Item key={index} sessionId={sessionId} index={index} />
        ))}
      </ol>
      <Questions sessionId={sessionId} />
      {error === undefined ? null : <p role="alert">{describe(error)}</p>}
      <form onSubmit={submit}>
        <input name="prompt" aria-label="Prompt" autoComplete="off" />
        {running ? (
          <button type="button" onClick={cancel}>
            Stop
          </button>
        ) : (
          <button type="submit">Send</button>
        )}
      </form>
    </main>
  );
}

interface ItemProps {
  readonly sessionId: string;
  readonly index: number;
}

/** One item: it renders again only when it has changed itself. */
const Item = memo(function Item({ sessionId, index }: ItemProps) {
  const item = useSession(sessionId, { select: ({ timeline }) => timeline.at(index) });
  const text = item && textOf(item);
  return item === undefined || text === undefined ? null : <li className={item.type}>{text}</li>;
});

function Questions({ sessionId }: { readonly sessionId: string }) {
  return usePermissions(sessionId).map(({ id, toolCall, options, answer }) => (
    <fieldset key={id}>
      <legend>{toolCall.title}</legend>
      {options.map(({ optionId, name }) => (
        <button type="button" key={optionId} onClick={() => answer(optionId)}>
          {name}
        </button>
      ))}
    </fieldset>
  ));
}
