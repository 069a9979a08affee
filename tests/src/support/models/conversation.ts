/** A turn that the model plays whenever a prompt begins it. */
export interface PlayedTurn {
  /** The prompt that begins it contains this. */
  readonly prompt: string;
  /** What the model says first. */
  readonly begins: string;
  /** The shell command that it then wants to run; without one the turn ends here. */
  readonly command?: string;
  /** What it says when it has the result of the command. */
  readonly ends?: string;
  /** Whether its first answer never ends. */
  readonly hangs?: boolean;
  /** Milliseconds between two pieces of its first answer. Default: none. */
  readonly pause?: number;
}

/** A part of the conversation that a request carries: what somebody wrote, or the result of a tool. */
export interface ConversationPart {
  readonly from: "user" | "tool";
  readonly text: string;
}

/** What a request asks of the model, whatever the API. */
export interface ModelRequest {
  readonly model: string;
  /** The oldest first; without what the model said itself. */
  readonly parts: readonly ConversationPart[];
  /** The names of the tools that the agent offers. */
  readonly tools: readonly string[];
  /** Whether the agent wants the answer in pieces. */
  readonly stream: boolean;
}

/** What the model answers. */
export interface ModelReply {
  /** Another one each time: agents join messages with the same id. */
  readonly id: string;
  /** Sent word by word. */
  readonly text: string;
  readonly call?: { readonly name: string; readonly input: object };
  /** Whether the answer stays unfinished. */
  readonly hangs?: boolean;
  /** Milliseconds between two pieces of the answer. */
  readonly pause?: number;
}

/** The tools in which agents run a line of a shell, and how the model calls each. */
const shellTools: Readonly<Record<string, (command: string) => object>> = {
  Bash: (command) => ({ command, description: "Runs the command" }),
  bash: (command) => ({ command }),
  shell: (command) => ({ command: ["bash", "-c", command], ...outsideOfSandbox }),
  shell_command: (command) => ({ command, ...outsideOfSandbox }),
  run_shell_command: (command) => ({ command, is_background: false }),
  Shell: (command) => ({ command }),
  execute: (command) => ({ command }),
  exec_command: (cmd) => ({ cmd, ...outsideOfSandbox }),
};

/** Codex asks the user about commands that want to leave its sandbox. */
const outsideOfSandbox = { sandbox_permissions: "require_escalated", justification: "The test wants to be asked" };

let replies = 0;

/** What the model says next. It goes by the request alone, so that requests about anything else do not confuse it. */
export function replyTo(request: ModelRequest, turns: readonly PlayedTurn[]): ModelReply {
  replies += 1;
  return { id: String(replies), ...contentOf(request, turns) };
}

function contentOf({ parts, tools }: ModelRequest, turns: readonly PlayedTurn[]): Omit<ModelReply, "id"> {
  const begun = parts.findLastIndex(({ from, text }) => from === "user" && turnOf(text, turns) !== undefined);
  const turn = turnOf(parts[begun]?.text ?? "", turns);
  // Agents also ask for titles and summaries, without tools.
  if (turn === undefined || tools.length === 0) return { text: "Played" };
  const { begins, command, ends = "", hangs = false, pause = 0 } = turn;
  if (parts.slice(begun).some(({ from }) => from === "tool")) return { text: ends };
  if (command === undefined) return { text: begins, hangs, pause };
  const name = tools.find((tool) => Object.hasOwn(shellTools, tool));
  const input = name === undefined ? undefined : shellTools[name]?.(command);
  if (name === undefined || input === undefined) return { text: `No tool for commands among: ${tools.join(", ")}` };
  return { text: begins, call: { name, input } };
}

function turnOf(text: string, turns: readonly PlayedTurn[]): PlayedTurn | undefined {
  return turns.find(({ prompt }) => text.includes(prompt));
}

/** A text in the pieces in which a model sends it. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/gu) ?? [];
}
