import { useEffect, useState } from "react";

/** Whether this browser can tell the user of questions while the page is hidden. Without encryption it cannot. */
type Permission = NotificationPermission | "missing";

function permission(): Permission {
  return typeof Notification === "function" && window.isSecureContext ? Notification.permission : "missing";
}

/** Whether the user may still be asked, and what asks: a browser wants a click for that. */
export function useNotifications(): { readonly canAsk: boolean; readonly ask: () => void } {
  const [state, setState] = useState(permission);
  return {
    canAsk: state === "default",
    ask: () => void Notification.requestPermission().then(setState, () => setState("missing")),
  };
}

/** Tells of open questions: in the title of the page, and in a notification if nobody looks at it. */
export function useAttention(count: number, name: string): void {
  useEffect(() => {
    document.title = count === 0 ? name : `(${count}) ${name}`;
  }, [count, name]);
  useEffect(() => {
    if (count === 0 || !document.hidden || permission() !== "granted") return undefined;
    let shown: Notification;
    try {
      // What the agent wrote stays in the page: a notification may show it to others.
      shown = new Notification("The agent asks something", { tag: "acp-question", body: "Open the page to answer." });
    } catch {
      // Some phones take notifications only from a service worker.
      return undefined;
    }
    shown.addEventListener("click", () => {
      window.focus();
      shown.close();
    });
    return () => shown.close();
  }, [count]);
}
