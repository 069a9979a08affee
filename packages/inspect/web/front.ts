import { byId, element } from "./dom.ts";
import { traceInLink } from "./link.ts";

/** Shows the page in front of several traces, or the one that the link names. */
export async function openFront(front: HTMLElement, openTrace: (prefix: string) => Promise<void>): Promise<void> {
  const names = JSON.parse(byId("traces").textContent ?? "") as readonly string[];
  byId("head").prepend(element("a", { href: "#", id: "back" }, "← Back"));
  let opened: string | undefined;
  const show = async (): Promise<void> => {
    const name = traceInLink();
    const place = name === undefined ? -1 : names.indexOf(name);
    front.hidden = place >= 0;
    if (place < 0 || name === opened) return;
    // One trace in the life of a page: another one starts afresh.
    if (opened !== undefined) return location.reload();
    opened = name;
    await openTrace(`${place}-`);
  };
  addEventListener("hashchange", () => void show());
  await show();
  document.body.dataset["ready"] = "true";
}
