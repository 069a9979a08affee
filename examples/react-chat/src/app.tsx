import { describeQuestion, joinText, type TimelineItem, visibleText } from "@acp/core/state";
import { type PermissionQuestion, useAgent, useAgentStore, usePermissions, usePrompt, useSession } from "@acp/react";
import { memo, type ReactElement, type SubmitEvent, useState } from "react";

export function App({ cwd }: { readonly cwd: string }): ReactElement {
  const store = useAgentStore();
  const { agent, status, error, retry } = useAgent();
  const [session, setSession] = useState<string>();
  const [problem, setProblem] = useState("");
  const begin = async (): Promise<void> => {
    try {
      setSession((await store.newSession({ cwd })).id);
    } catch (reason) {
      setProblem(String(reason));
    }
  };
  return (
    <>
      <header>
        <h1>{agent?.info?.title ?? agent?.info?.name ?? "Chat"}</h1>
        <p role="status">{status}</p>
        {status === "lost" || status === "failed" ? (
          <p role="alert">
            {String(error)} <button onClick={retry}>Try again</button>
          </p>
        ) : null}
      </header>
      {session === undefined ? (
        <button disabled={status !== "open"} onClick={() => void begin()}>
          New session
        </button>
      ) : (
        <Chat session={session} />
      )}
      {problem === "" ? null : <p role="alert">{problem}</p>}
    </>
  );
}

function Chat({ session }: { readonly session: string }): ReactElement {
  const { send, cancel, running, error } = usePrompt(session);
  // Only the number of items: what an item says redraws that item alone.
  const length = useSession(session, { select: ({ timeline }) => timeline.length });
  const questions = usePermissions(session);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // What is typed during a turn stays for after it.
    if (running) return;
    const prompt = new FormData(event.currentTarget).get("prompt");
    event.currentTarget.reset();
    // The state has the error of a turn that fails: it is shown below.
    if (typeof prompt === "string" && prompt.trim() !== "") send(prompt).catch(() => {});
  };
  return (
    <main>
      <ol aria-label="Conversation">
        {Array.from({ length }, (_, index) => (
          <Item key={index} session={session} index={index} />
        ))}
      </ol>
      {error === undefined ? null : <p role="alert">{error instanceof Error ? error.message : "The turn failed"}</p>}
      {questions.map((question) => (
        <Question key={question.id} question={question} />
      ))}
      <form onSubmit={submit}>
        <input name="prompt" aria-label="Prompt" autoComplete="off" />
        {running ? (
          <button type="button" onClick={cancel}>
            Stop
          </button>
        ) : (
          <button>Send</button>
        )}
      </form>
    </main>
  );
}

const Item = memo(({ session, index }: { readonly session: string; readonly index: number }): ReactElement | null => {
  const item = useSession(session, { select: ({ timeline }) => timeline.at(index) });
  return item === undefined ? null : <li className={item.type}>{textOf(item)}</li>;
});

function textOf(item: TimelineItem): string {
  switch (item.type) {
    case "user_message":
    case "agent_message":
    case "agent_thought":
      return joinText(item.chunks);
    case "tool_call":
      return `[${item.status}] ${item.title}`;
    case "plan":
      return item.entries.map(({ content, status }) => `[${status}] ${content}`).join("\n");
    default:
      return "";
  }
}

/** A title does not say all that the agent asks for: the facts do. They are never cut, and nothing in them is invisible. */
function Question({ question }: { readonly question: PermissionQuestion }): ReactElement {
  const { sessionId, toolCall, options, answer } = question;
  const known = useSession(sessionId, { select: ({ timeline }) => timeline.find("tool_call", toolCall.toolCallId) });
  const lines = describeQuestion({ toolCall }, known).facts.map((fact) =>
    fact.about === "content"
      ? JSON.stringify(fact.content, undefined, 2)
      : [fact.about, fact.name, fact.value].filter(Boolean).join(" "),
  );
  return (
    <fieldset>
      <legend>The agent asks for permission</legend>
      <pre>{lines.map((line) => visibleText(line)).join("\n")}</pre>
      {options.map(({ optionId, name }) => (
        <button key={optionId} onClick={() => answer(optionId)}>
          {visibleText(name)}
        </button>
      ))}
    </fieldset>
  );
}
