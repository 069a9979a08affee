import { isParams, type Params, textOf } from "./params.ts";

/** A tool call, a terminal or a subagent, as the session has reported it. */
interface Reported {
  /** Whether the client was ever told that it may cancel it. Later updates may have crossed the cancel. */
  readonly wasCancellable: boolean;
  readonly isOver: boolean;
}

/** The updates that report work, the member with its id, and its type in lists of background work. */
const work = {
  tool_call_update: ["toolCallId", "tool_call"],
  tool_call_content_chunk: ["toolCallId", "tool_call"],
  terminal_update: ["terminalId", "terminal"],
  terminal_output_chunk: ["terminalId", "terminal"],
  subagent_update: ["sessionId", "subagent"],
} as const;

const kindsOfMessages = /^(user_message|agent_message|agent_thought)(_chunk)?$/;

/** What was sent about one session of version 2 on one connection. */
export class SessionRecord {
  /** Whether it was created on this connection, so that everything about it was sent here. */
  isWhole = false;
  isClosed = false;
  /** Whether the last state had foreground work. */
  isBusy = false;
  /** Whether a state listed background work: then each state has to, until the session is closed. */
  listsBackground = false;
  /** The keys of the last state's list, until it is resumed. */
  listedKeys: readonly string[] = [];
  /** The params of requests to resume it since which no state was sent. */
  readonly unsettled: Set<Params> = new Set();
  /** The params of pending requests to close it since which nobody asked to resume it. */
  readonly closing: Set<Params> = new Set();
  /** Messages from before it was closed that a replay has not started again. */
  readonly stale: Set<string> = new Set();
  readonly #messages = new Set<string>();
  readonly #work = new Map<string, Reported>();

  workOf(key: string): Reported | undefined {
    return this.#work.get(key);
  }

  /** Records an update. */
  note(update: Params): void {
    const kind = textOf(update["sessionUpdate"]);
    if (kind === "state_update") this.#noteState(update);
    const message = messageKey(update);
    if (message !== undefined) {
      this.#messages.add(message);
      if (!kind.endsWith("_chunk") && update["content"] !== undefined) this.stale.delete(message);
    }
    if (!Object.hasOwn(work, kind)) return;
    const [id, type] = work[kind as keyof typeof work];
    this.#noteWork(workKey(type, update[id]), update);
  }

  /** The client asks to resume it. */
  resume(params: Params): void {
    this.unsettled.add(params);
    this.closing.clear();
    this.listedKeys = [];
    // Work in an open session may be reported during the replay, and adds to what the client has.
    const replays = this.isClosed && params["replayFrom"] != null;
    if (replays) for (const key of this.#messages) this.stale.add(key);
    this.isClosed = false;
  }

  /** It was resumed, or that was refused. */
  resumed(params: Params): void {
    this.unsettled.delete(params);
    this.stale.clear();
  }

  /** It was closed, or that failed. */
  closed(params: Params, isDone: boolean): void {
    if (!this.closing.delete(params) || !isDone) return;
    this.isClosed = true;
    this.isBusy = false;
    this.listsBackground = false;
    this.listedKeys = [];
  }

  #noteState({ state, background }: Params): void {
    this.unsettled.clear();
    this.isBusy = state === "running" || state === "requires_action";
    if (!Array.isArray(background)) return;
    this.listsBackground = true;
    this.listedKeys = background.map(backgroundKey).filter((key) => key !== undefined);
  }

  #noteWork(key: string, { capabilities, status, exitStatus }: Params): void {
    const known = this.#work.get(key);
    // Nobody else knows the meaning of a custom status.
    const isStatusLast = status != null && status !== "pending" && status !== "in_progress" && status !== "paused";
    this.#work.set(key, {
      wasCancellable: known?.wasCancellable === true || (isParams(capabilities) && capabilities["cancel"] != null),
      isOver:
        status === undefined && exitStatus === undefined ? known?.isOver === true : exitStatus != null || isStatusLast,
    });
  }
}

/** The key of a message in its session; `undefined` for an update of anything else. */
export function messageKey({ sessionUpdate, messageId }: Params): string | undefined {
  const kind = kindsOfMessages.exec(textOf(sessionUpdate))?.[1];
  return kind === undefined ? undefined : `${kind} ${textOf(messageId)}`;
}

export function workKey(type: string, id: unknown): string {
  return `${type} ${textOf(id)}`;
}

/** The key of an entry in a list of background work; `undefined` for a kind that is not the protocol's. */
export function backgroundKey(entry: unknown): string | undefined {
  if (!isParams(entry)) return undefined;
  const { type } = entry;
  const id = Object.values(work).find(([, listedAs]) => listedAs === type)?.[0];
  return id === undefined ? undefined : workKey(textOf(type), entry[id]);
}
