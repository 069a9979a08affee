import type { ShowTools } from "@acp/ai";
import type { ToolSet } from "ai";

/** What a call does to the world. The mode of the session decides which of these need the user's permission. */
export type Access = "read" | "edit" | "execute" | "fetch";

/** What "always" refers to. */
export interface Remembered {
  /** Later calls with the same key are not asked for. */
  readonly key: string;
  /** The same for the user, to follow "Always allow". */
  readonly scope: string;
}

/** What decides whether a call of a tool needs a permission. */
export interface ToolAccess {
  readonly access: Access;
  /** Whether a call with this input needs a permission in every mode. Default: none does. */
  readonly isProtected?: ((input: unknown) => Promise<boolean>) | undefined;
  /**
   * What "always" refers to, when the user chooses it for a call with this input. `undefined`: the user can only allow it once.
   * Default: every call of the tool.
   */
  readonly remember?:
    | ((input: unknown, toolCallId: string) => Remembered | undefined | Promise<Remembered | undefined>)
    | undefined;
  /**
   * Called before the user is asked about a call: shows in it what it would do, such as the change of a file. What it resolves
   * with is the reason why the call cannot work: then the model gets it, and nobody is asked.
   */
  readonly propose?: ((input: unknown, toolCallId: string) => Promise<string | undefined>) | undefined;
}

/** Tools for the model: how they run, how their calls are shown, and what they are allowed to do. */
export interface AgentTools {
  readonly tools: ToolSet;
  readonly show: ShowTools;
  /** By the name of the tool. */
  readonly access: Readonly<Record<string, ToolAccess>>;
}
