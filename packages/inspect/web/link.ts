/** What a link to the page says. */
export interface Place {
  /** The number of the selected message, from 1. */
  readonly message: number | undefined;
  readonly query: string;
  readonly hasTimeline: boolean;
  /** How the message is shown. */
  readonly view: string | undefined;
}

/** Which of several traces the link names. */
export function traceInLink(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get("t") ?? undefined;
}

/** Reads the fragment: `#m=70000&q=wrong&v=timeline&d=session`. */
export function readPlace(): Place {
  const values = new URLSearchParams(location.hash.slice(1));
  const message = Number(values.get("m"));
  return {
    message: Number.isInteger(message) && message > 0 ? message : undefined,
    query: values.get("q") ?? "",
    hasTimeline: values.get("v") === "timeline",
    view: capitalized(values.get("d")),
  };
}

/** Writes the fragment, without a step in the history. */
export function writePlace({ message, query, hasTimeline, view }: Place): void {
  const values = new URLSearchParams();
  const trace = traceInLink();
  if (trace !== undefined) values.set("t", trace);
  if (message !== undefined) values.set("m", String(message));
  if (query !== "") values.set("q", query);
  if (hasTimeline) values.set("v", "timeline");
  if (view !== undefined && view !== "Tree" && view !== "Compare") values.set("d", view.toLowerCase());
  const hash = values.toString();
  history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
}

function capitalized(word: string | null): string | undefined {
  return word === null || word === "" ? undefined : word.charAt(0).toUpperCase() + word.slice(1);
}
