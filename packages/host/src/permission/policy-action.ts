import type { HostSession } from "../host-context.ts";

/** A command: a program with its arguments, or a complete shell line. */
export type PolicyCommand = readonly string[] | string;

/** An environment variable that an agent sets for a command. */
export interface PolicyVariable {
  readonly name: string;
  /** As the agent sends it: a credential, possibly. */
  readonly value: string;
}

/**
 * An action that a policy decides about: the agent's claim in a question, or the real command or file access that would
 * happen.
 */
export interface PolicyAction {
  /** `question`: the agent asks for permission. `terminal` or `file`: the agent asks this client to act. */
  readonly source: "question" | "terminal" | "file";
  /** The id of the session. */
  readonly sessionId: string;
  /**
   * The kinds of the action, at least one: `read`, `edit`, `execute` or another kind of tool. A question with a command
   * always includes `execute`, and a question with a diff includes `edit`, whatever the agent calls it.
   */
  readonly kinds: readonly string[];
  /** The commands that would run. */
  readonly commands: readonly PolicyCommand[];
  /**
   * The environment variables that the agent sets for the command. A question names them in an argument such as `env`;
   * a value there that is not a list of variables counts as one variable with the name of the argument.
   */
  readonly variables: readonly PolicyVariable[];
  /** The files, and the directory of a command, after links are followed. */
  readonly paths: readonly string[];
  /** Paths that could not be resolved. No rule with `within` allows them. */
  readonly unresolved: readonly string[];
}

/** A rule of a policy. It matches if all of its conditions hold, and needs at least one. */
export interface PermissionRule {
  /** What to do if the rule matches. `ask` leaves the decision to the user. */
  readonly then: "allow" | "reject" | "ask";
  /**
   * The kinds of tools that the rule is for, such as `read`, `edit` or `execute`. A rule that allows must name every
   * kind of the action. Default: `execute` for a rule with a `command` or a `line`, otherwise any.
   */
  readonly kind?: string | readonly string[] | undefined;
  /**
   * Directories, as absolute paths, or a function that returns them for a session. A rule that allows matches if every
   * path is in one of them after links are followed; for a command, the path is its working directory. A rule that
   * rejects or asks matches if one path is, or a file has another name there (a hard link). Folders are searched for that
   * up to 5,000 entries; beyond, a rule that rejects asks.
   */
  readonly within?: string | readonly string[] | ((session: HostSession) => readonly string[]) | undefined;
  /**
   * A program with exactly these arguments, such as `["npm", "test"]`. The program's name is compared as the agent
   * sends it.
   */
  readonly command?: readonly string[] | undefined;
  /** Whether more arguments may follow those of `command`. Does not apply to shell lines. Default: `false`. */
  readonly moreArguments?: boolean | undefined;
  /** A complete shell line, compared exactly. */
  readonly line?: string | undefined;
  /**
   * Environment variables that the agent may set for a `command` or a `line` that this rule allows. Default: none,
   * because variables such as `PATH` change what a command does.
   */
  readonly variables?: readonly string[] | undefined;
}

/** A decision of a policy, for an audit. */
export interface PolicyDecision {
  readonly action: PolicyAction;
  /** `cancelled`: there was no decision, because the turn was cancelled, asking the user failed, or no option fits. */
  readonly outcome: "allowed" | "rejected" | "cancelled";
  /**
   * Who decided or was asked. `default` also covers an action that the user allowed but that is rejected because its
   * path has changed meanwhile: an agent could have replaced a directory with a link.
   */
  readonly by: "rule" | "user" | "default";
  /** The rule that matched, even if its `then` is `ask`. */
  readonly rule: PermissionRule | undefined;
  /** The option that was selected in response to the agent's request. */
  readonly optionId: string | undefined;
}
