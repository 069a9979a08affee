import type { AnyTurn } from "@acp/ai";

import { type NewCall, QuietCall, type ShownCall } from "./quiet-call.ts";

/** What happens in a subagent, as lines of the tool call that it works for. */
interface Progress {
  /** Shows the lines. */
  show(text: string): Promise<void>;
}

/** An update that the client may do without. */
interface Offered {
  readonly sessionUpdate: string;
  readonly title?: string;
  readonly description?: string;
}

/** The kinds of calls that change nothing: a line is enough for them. */
const quietKinds: ReadonlySet<string> = new Set(["read", "search", "think"]);

/**
 * The turn of a subagent for a client that knows nothing of subagents. What the subagent says and reads becomes lines of
 * the tool call that it works for. What it changes or runs is a call of its own, as if the agent itself did it: the user sees
 * the real thing, and is asked for it.
 */
export function createProgressTurn(turn: AnyTurn, progress: Progress, signal: AbortSignal): AnyTurn {
  const lines: string[] = [];
  let text = "";
  const show = (): Promise<void> => progress.show([...lines, text].filter((line) => line !== "").join("\n"));
  const endText = (): void => {
    if (text.trim() !== "") lines.push(text.trim());
    text = "";
  };
  const report = (call: NewCall): Promise<ShownCall> => {
    // The call is of the version of the turn: they differ in names alone.
    const reporter: { toolCall(call: never): Promise<object> } = turn;
    return reporter.toolCall(call as never) as Promise<ShownCall>;
  };
  const createQuietCall = async (call: NewCall): Promise<ShownCall> => {
    const at = lines.push(call.title) - 1;
    await show();
    return new QuietCall(call, {
      turn: own,
      report,
      showLine: async (title, mark) => {
        lines[at] = mark === undefined ? title : `${mark} ${title}`;
        await show();
      },
    });
  };
  const changes = {
    signal,
    message: async (content: unknown) => {
      if (typeof content !== "string") return;
      text += content;
      // A line at a time: each update shows everything again.
      if (content.includes("\n")) await show();
    },
    thought: () => Promise.resolve(),
    offer: async (update: Offered) => {
      if ((await turn.offer(update as never)) || update.sessionUpdate !== "notice") return true;
      // The thoughts of a subagent are not shown, but what it waits for is.
      endText();
      lines.push([update.title, update.description].join(" ").trim());
      await show();
      return true;
    },
    toolCall: async (call: NewCall) => {
      endText();
      if (quietKinds.has(call.kind ?? "other")) return createQuietCall(call);
      lines.push(call.title);
      await show();
      return report(call);
    },
  };
  const own = withChanges(turn, changes);
  return own;
}

/** The same object with other members. Its methods still work on the object itself. */
function withChanges<T extends object>(target: T, changes: object): T {
  return new Proxy(target, {
    get: (_, key) => {
      if (Object.hasOwn(changes, key)) return Reflect.get(changes, key) as unknown;
      const member = Reflect.get(target, key, target) as unknown;
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}
