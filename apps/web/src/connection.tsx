import { useAgent } from "@acp/react";
import { type ReactElement, useEffect, useRef, useState } from "react";

import { errorText } from "./error-text.ts";
import { Login } from "./login.tsx";

/** How long the page says that the connection is back, in milliseconds. */
const backTime = 4000;

const words = {
  connecting: "Connecting…",
  open: "",
  lost: "The connection is lost. The page tries to reach the agent again; what you see stays.",
  failed: "The agent cannot be reached.",
  closed: "The connection is closed.",
};

/** What has become of the connection, what went wrong besides, and how to log in. */
export function Connection({ problem }: { readonly problem: string }): ReactElement {
  const { status, error, retry } = useAgent();
  const [isBack, setBack] = useState(false);
  const wasLost = useRef(false);
  useEffect(() => {
    const isNew = status === "open" && wasLost.current;
    if (status === "lost" || status === "open") wasLost.current = status === "lost";
    setBack(isNew);
    if (!isNew) return undefined;
    const timer = setTimeout(() => setBack(false), backTime);
    return () => clearTimeout(timer);
  }, [status]);
  const isDown = status === "lost" || status === "failed";
  return (
    <div className="connection">
      <p role="status" className={`status ${status}`}>
        {isBack ? "The connection is back." : words[status]}
      </p>
      {isDown ? (
        <p className="problem">
          {errorText(error)} <button onClick={retry}>Try again</button>
        </p>
      ) : null}
      {problem === "" ? null : (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      <Login />
    </div>
  );
}
