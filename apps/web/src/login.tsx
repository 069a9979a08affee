import type { LoginRequest } from "@acp/core";
import { visibleText } from "@acp/core/state";
import { type ReactElement, useSyncExternalStore } from "react";

interface WaitingLogin {
  readonly request: LoginRequest;
  /** Goes on with a method; without one, what needed the login fails. */
  readonly answer: (methodId: string | undefined) => void;
}

let waiting: WaitingLogin | undefined;
const listeners = new Set<() => void>();

function setWaiting(login: WaitingLogin | undefined): void {
  waiting = login;
  for (const listener of listeners) listener();
}

/** Asks the user how to log in, for the option `authenticate` of a store. */
export function chooseLogin(request: LoginRequest): Promise<string | undefined> {
  return new Promise((resolve) => {
    const login: WaitingLogin = {
      request,
      answer(methodId) {
        if (waiting === login) setWaiting(undefined);
        resolve(methodId);
      },
    };
    request.signal.addEventListener("abort", () => login.answer(undefined));
    setWaiting(login);
  });
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
const read = (): WaitingLogin | undefined => waiting;

/** How to log in, while the agent wants that. */
export function Login(): ReactElement | null {
  const login = useSyncExternalStore(subscribe, read, read);
  if (login === undefined) return null;
  const { request, answer } = login;
  return (
    <section className="login" aria-label="Log in">
      <p className="title" role="alert">
        {`${visibleText(request.agent?.title ?? request.agent?.name ?? "The agent")} wants you to log in`}
      </p>
      {request.methods.length === 0 ? (
        <p>It offers no way to do that here. Log in with its own program, and try again.</p>
      ) : null}
      {request.methods.map((method, index) => (
        <div key={index} className="field">
          {method.type === undefined || method.type === "agent" ? (
            <button onClick={() => answer(method.id)}>{visibleText(method.name)}</button>
          ) : (
            <strong>{visibleText(nameOf(method))}</strong>
          )}
          <p className="dim">{visibleText(helpOf(method))}</p>
        </div>
      ))}
      <button onClick={() => answer(undefined)}>Not now</button>
    </section>
  );
}

type Method = LoginRequest["methods"][number];

function nameOf(method: Method): string {
  return "name" in method ? method.name : "A method that this page does not know";
}

/** What the agent says of a method, and what the user has to do for one that a page cannot do. */
function helpOf(method: Method): string {
  const said = "description" in method ? (method.description ?? "") : "";
  if (method.type === undefined || method.type === "agent") return said;
  const args = method.type === "terminal" ? (method.args ?? []) : [];
  const how =
    method.type === "terminal"
      ? `A page has no terminal for that. Open one on the agent's machine, start the agent there${args.length === 0 ? "" : ` with ${args.join(" ")}`}, log in, and try again here.`
      : "This page cannot do that. Log in with the agent's own program, and try again here.";
  return [said, how].filter(Boolean).join(" ");
}
