/** The side that is the toolkit; the other one is raw, and at fault. */
export type Side = "client" | "agent";

export type FramingName = "ndjson" | "content-length";

export type Version = 1 | 2;

/** What the session does, in order. Each of them settles, whatever the peer does. */
export const operations = ["initialize", "authenticate", "new", "load", "prompt", "cancel", "close", "probe"] as const;

export type Operation = (typeof operations)[number];

/** A place in a session where a fault strikes. */
export interface Step {
  readonly name: string;
  /** What runs then, as seen from the client. */
  readonly operation: Operation;
  /** Whether a request of the attacked side waits for its answer then. */
  readonly open: Readonly<Record<Side, (version: Version) => boolean>>;
}

const never = (): boolean => false;
const always = (): boolean => true;
/** In version 2 a prompt is answered before its work begins. */
const inVersion1 = (version: Version): boolean => version === 1;

const asked = { client: always, agent: never };
const working = { client: inVersion1, agent: never };
const asking = { client: inVersion1, agent: always };

export const steps: readonly Step[] = [
  { name: "before initialize", operation: "initialize", open: { client: never, agent: never } },
  { name: "during initialize", operation: "initialize", open: asked },
  { name: "after initialize", operation: "authenticate", open: { client: never, agent: never } },
  { name: "authenticate", operation: "authenticate", open: asked },
  { name: "new session", operation: "new", open: asked },
  { name: "load session", operation: "load", open: asked },
  { name: "before the first update", operation: "prompt", open: asked },
  { name: "amid updates", operation: "prompt", open: working },
  { name: "question for permission", operation: "prompt", open: asking },
  // A file in version 1, a form in version 2.
  { name: "request to the client", operation: "prompt", open: asking },
  { name: "cancel", operation: "cancel", open: working },
  { name: "close session", operation: "close", open: asked },
];
