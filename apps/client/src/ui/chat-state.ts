// What the user interface shows, as values that never change: a change makes a new state, whose unchanged parts are the same
// objects. The model makes it, the views draw it, and neither knows the other.
import type { ElicitationAnswer, FilledForm, FormQuestion, UrlQuestion } from "@acp/core/elicitation";
import type {
  Command,
  PermissionQuestion,
  PlanEntry,
  SessionOption,
  ShownCall,
  TerminalState,
  Usage,
} from "@acp/render";

import type { AgentAbilities, Login, PromptKinds } from "../protocol/agent.ts";
import type { Attachment } from "../protocol/file-kind.ts";

export type { SessionOption } from "@acp/render";

/** Everything that is shown. */
export interface ChatState {
  readonly agent: AgentState;
  /** The directory that the agent works in; absolute. */
  readonly cwd: string;
  /** The session that the user is in; `undefined` until one is open. */
  readonly session: { readonly id: string; readonly title: string | undefined; readonly cwd: string } | undefined;
  /** What was said and done, in order. Those before {@link firstOpen} never change; the others may change, move or go away. */
  readonly items: ChatItems;
  /** The index of the first item that may still change: what stands before it goes to the scrollback. It only grows. */
  readonly firstOpen: number;
  readonly turn: RunningTurn | undefined;
  /** What the running turn has planned, or the last one; empty if nothing. */
  readonly plan: readonly PlanEntry[];
  readonly usage: Usage | undefined;
  /** The modes and all other options of the session, in the agent's order. */
  readonly options: readonly SessionOption[];
  /** The slash commands: those of the agent, and behind them those of this program. */
  readonly commands: readonly ChatCommand[];
  /** What the agent asks, first come first: the first one is open. */
  readonly questions: readonly ChatQuestion[];
  /** Prompts that wait for the end of the turn. */
  readonly queued: readonly Prompt[];
  /** Prompts that nobody has answered, for the user to edit and send again. */
  readonly returned: readonly Prompt[];
  /** What the user has opened on top: a list to choose from. */
  readonly overlay: Overlay | undefined;
  /** Whether thoughts are shown in one line, or whole. */
  readonly thoughts: "folded" | "full";
  /** One line that goes away by itself, such as "Press Ctrl-C again to quit". */
  readonly hint: string | undefined;
}

export interface AgentState {
  readonly status: "starting" | "ready" | "ended" | "restarting";
  readonly name: string;
  readonly version: string | undefined;
  /** The protocol version in use; 0 while the agent starts. */
  readonly protocol: number;
  readonly takes: PromptKinds;
  readonly can: AgentAbilities;
  readonly logins: readonly Login[];
}

export interface RunningTurn {
  /** The time at which it began, as `Date.now()`. */
  readonly since: number;
  /** What goes on, for the spinner: `Thinking`, `Writing`, `npm test`, `Waiting for your answer`. */
  readonly activity: string;
  /** The time of the agent's last sign of life, as `Date.now()`. */
  readonly lastUpdate: number;
  readonly isCancelling: boolean;
}

/** A slash command. The model runs those of this program when they are submitted. */
export interface ChatCommand extends Command {
  readonly isOwn: boolean;
}

/** A list of items: an array, or what reads like one. */
export type ChatItems = readonly ChatItem[] | Pick<readonly ChatItem[], "length" | "at" | "slice">;

/** Something in the transcript. Its texts are as the agent sent them, not safe for a terminal yet. */
export type ChatItem = {
  /** Its own in this program. */
  readonly id: number;
  /** The session in which it happened, if the agent has opened that by itself, for a subagent perhaps. */
  readonly beside?: string | undefined;
  /** The first item of what it is a part of: what an agent says of it later is an item of its own. Default: its own id. */
  readonly root?: number;
} & (
  | {
      readonly kind: "user";
      readonly text: string;
      readonly attachments: readonly string[];
      /** The parts of the text that were pasted: see {@link Prompt}. */
      readonly pasted?: readonly string[];
    }
  /** A message of the agent in Markdown. It may be long: while it is open, its text only grows. */
  | TextItem<"agent">
  | TextItem<"thought">
  | CallItem
  /** The plan as it was at the end of a turn. */
  | { readonly kind: "plan"; readonly entries: readonly PlanEntry[] }
  /** A question that was answered, and how. One about a call says nothing that the call does not show. */
  | {
      readonly kind: "answer";
      readonly question: string;
      readonly answer: string;
      /** What decided it, if that was not the user. */
      readonly by?: string | undefined;
      readonly toolCallId?: string | undefined;
      readonly permission?: PermissionQuestion;
    }
  /** The agent or this program tells the user something. */
  | { readonly kind: "note"; readonly level: "info" | "warning" | "error"; readonly text: string }
  /** The end of a turn. */
  | {
      readonly kind: "end";
      readonly stopReason: string;
      /** In milliseconds. */
      readonly duration: number;
      readonly calls: number;
    }
  /** The user is in another session from here on. */
  | { readonly kind: "session"; readonly sessionId: string; readonly title: string | undefined }
);

interface TextItem<Kind extends string> {
  readonly kind: Kind;
  readonly messageId?: string | null | undefined;
  readonly text: string;
  readonly isOpen: boolean;
}

export interface CallItem {
  readonly kind: "call";
  readonly toolCallId: string;
  readonly call: ShownCall;
  /** Its terminals, by id: what they have printed so far. */
  readonly terminals: ReadonlyMap<string, TerminalState>;
  /**
   * The times of its first report and of its end, as `Date.now()`; `undefined` while it runs. The first one is later by the
   * time that the user took to answer questions about it.
   */
  readonly since: number;
  readonly until: number | undefined;
}

/** A prompt with what belongs to it. */
export interface Prompt {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The parts of the text that are folded into markers where the user sees them: long pasted texts. */
  readonly pasted?: readonly string[];
}

/** A question of the agent. The model has the promise that it is answered with. */
export type ChatQuestion = { readonly id: number } & (
  | { readonly kind: "permission"; readonly question: PermissionQuestion }
  | { readonly kind: "form"; readonly agent: string; readonly question: FormQuestion }
  | { readonly kind: "url"; readonly agent: string; readonly question: UrlQuestion }
  | { readonly kind: "login"; readonly logins: readonly Login[] }
);

/** A list that the user has opened. */
export type Overlay =
  | { readonly kind: "option"; readonly option: SessionOption }
  | { readonly kind: "options" }
  | { readonly kind: "sessions"; readonly sessions: readonly SessionEntry[]; readonly isComplete: boolean }
  | { readonly kind: "help" };

export interface SessionEntry {
  readonly sessionId: string;
  readonly title: string | undefined;
  readonly updatedAt: string | undefined;
  readonly isOpen: boolean;
}

/** What the user does. The model does it; the views only call these. */
export interface ChatActions {
  /** Sends a prompt, or puts it behind the running turn. */
  submit(prompt: Prompt): void;
  /** Gives the agent a message while it works; if it cannot take that, the prompt waits. */
  steer(prompt: Prompt): void;
  /** Takes the last waiting prompt back to edit it. */
  takeBack(): Prompt | undefined;
  /** These of the {@link ChatState.returned} prompts are in the editor now. */
  takeReturned(prompts: readonly Prompt[]): void;
  /** Runs a line in the user's shell, and shows it. The agent does not see it. */
  runInShell(line: string): void;
  /** Puts what the last line has printed into the editor. */
  attachOutput(): void;
  /** Ends what the user runs in the shell; or else cancels the running turn, and returns what waits for its end. */
  cancel(): void;
  /** Ctrl-C, whatever that means now. */
  interrupt(): void;
  /** Shows a line for a moment. */
  hint(text: string): void;
  quit(): void;
  /** Answers a question. Without an option the agent may not do it. */
  answerPermission(id: number, optionId: string | undefined): void;
  answerForm(id: number, answer: ElicitationAnswer<FilledForm>): void;
  answerUrl(id: number, action: "accept" | "decline" | "cancel"): void;
  answerLogin(id: number, loginId: string | undefined): void;
  open(overlay: "options" | "sessions" | "help" | { readonly option: SessionOption }): void;
  closeOverlay(): void;
  setOption(option: SessionOption, value: string | boolean): void;
  newSession(): void;
  openSession(sessionId: string, how: "load" | "resume"): void;
  deleteSession(sessionId: string): void;
  closeSession(): void;
  /** Sends what the agent has forgotten along with the next prompt. */
  recall(): void;
  restartAgent(): void;
  logIn(loginId: string): void;
  logOut(): void;
}
