import type { AnyTurn, ToolOutput } from "@acp/ai";

/** What happens in a subagent, as lines of the tool call that it works for. */
interface Progress {
  /** Shows the lines. */
  show(text: string): Promise<void>;
}

type NewCall = Parameters<AnyTurn["toolCall"]>[0];

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
  let count = 0;
  const show = (): Promise<void> => progress.show([...lines, text].filter((line) => line !== "").join("\n"));
  const endText = (): void => {
    if (text.trim() !== "") lines.push(text.trim());
    text = "";
  };
  const createQuietCall = async ({ title, toolCallId }: NewCall): Promise<object> => {
    const at = lines.push(title) - 1;
    let shown = title;
    const end = async (mark: string): Promise<void> => {
      lines[at] = `${mark} ${shown}`;
      await show();
    };
    await show();
    return {
      id: toolCallId ?? `quiet-${++count}`,
      turn: own,
      update: (change: { readonly title?: string | null }) => {
        shown = change.title ?? shown;
        lines[at] = shown;
        return Promise.resolve();
      },
      complete: () => end("✓"),
      fail: (reason?: ToolOutput) => end(typeof reason === "string" ? `✗ (${reason})` : "✗"),
      cancelled: () => end("✗"),
      requestPermission: () => Promise.resolve({ outcome: "cancelled" }),
    };
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
    toolCall: async (call: NewCall) => {
      endText();
      if (quietKinds.has(call.kind ?? "other")) return createQuietCall(call);
      lines.push(call.title);
      await show();
      return turn.toolCall(call as never);
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
