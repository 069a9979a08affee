import type { HostSession } from "../host-context.ts";

/** A command: a program with its arguments, or a whole line of a shell. */
export type PolicyCommand = readonly string[] | string;

/**
 * What a policy decides about. In a question it is what the agent says; of a terminal or a file it is what would really
 * happen.
 */
export interface PolicyAction {
  /** `question`: the agent asks for permission. `terminal`, `file`: the agent wants this client to do it. */
  readonly source: "question" | "terminal" | "file";
  /** The id of the session. */
  readonly sessionId: string;
  /**
   * What kinds of action it is, at least one: `read`, `edit`, `execute` or another kind of tool. A question with a command is
   * `execute`, and one with a diff `edit`, whatever else the agent calls it.
   */
  readonly kinds: readonly string[];
  /** The commands that would run. */
  readonly commands: readonly PolicyCommand[];
  /** The names of the variables that the agent sets for the command. */
  readonly variables: readonly string[];
  /** The files it is about, and the directory of a command: where they are once links are followed. */
  readonly paths: readonly string[];
  /** Paths of which nobody can tell where they lead. No rule for a folder allows them. */
  readonly unresolved: readonly string[];
}

/** One rule of a policy. All conditions that it has must hold, and it has at least one. */
export interface PermissionRule {
  /** What happens then; `ask` leaves it to the user. */
  readonly then: "allow" | "reject" | "ask";
  /**
   * The kinds of tool it is for, such as `read`, `edit` or `execute`. To allow, it must name every kind that an action is.
   * Default: `execute` for a rule with a `command` or a `line`, else any.
   */
  readonly kind?: string | readonly string[] | undefined;
  /**
   * Folders, as absolute paths, or a function that returns them for a session. To allow, every path must be in one of them once
   * links are followed; for a command, that is its working directory. To reject or ask, one path is enough.
   */
  readonly within?: string | readonly string[] | ((session: HostSession) => readonly string[]) | undefined;
  /** A program and exactly these arguments: `["npm", "test"]`. The name is compared as the agent sends it. */
  readonly command?: readonly string[] | undefined;
  /** Whether more arguments may follow those of `command`. Never true of a shell line. Default: `false`. */
  readonly moreArguments?: boolean | undefined;
  /** A whole line of a shell, compared letter by letter. */
  readonly line?: string | undefined;
  /**
   * Variables that the agent may set for a `command` or a `line` that this rule allows. Default: none, since variables such
   * as `PATH` change what a command does.
   */
  readonly variables?: readonly string[] | undefined;
}

/** What a policy has decided, for an audit. */
export interface PolicyDecision {
  readonly action: PolicyAction;
  /** `cancelled`: nothing was decided, because the turn was cancelled, asking the user failed, or no option fits. */
  readonly outcome: "allowed" | "rejected" | "cancelled";
  /**
   * Who decided, or was asked. `default` also rejects what the user allowed if its path leads elsewhere by then: an agent
   * could have replaced a folder by a link.
   */
  readonly by: "rule" | "user" | "default";
  /** The rule that matched, also if it left the decision to somebody. */
  readonly rule: PermissionRule | undefined;
  /** The option that answers the agent's question. */
  readonly optionId: string | undefined;
}
