import type { Cost } from "@acp/schema/v1/types";
import type { LanguageModelUsage, ToolSet } from "ai";
import type { ShowTools } from "../display/tool-display.ts";
import type { DecidePermission } from "../turn/permission.ts";

/** How a stream is shown. */
export interface SendOptions<Tools extends ToolSet = ToolSet> {
  /** The tools of the model: their `toModelOutput` makes the results in the messages. Default: none has one. */
  readonly tools?: Tools | undefined;
  /** How the calls of the tools look. Default: the name of the tool, its input and its result. */
  readonly show?: ShowTools<Tools> | undefined;
  /** Decides about calls that need a permission. Default: the user is asked, each time. */
  readonly permission?: DecidePermission | undefined;
  /** How many tokens the model can read. With it, the client is told after each step how full the context is. */
  readonly contextSize?: number | undefined;
  /** What the session has cost so far, after a step with this usage. Default: it is not told. */
  readonly cost?: ((usage: LanguageModelUsage) => Cost | undefined) | undefined;
  /**
   * Gets each failure of the model as it is, for a log of your own: it may contain the prompt and the address of the provider.
   * Default: nobody does.
   */
  readonly onModelError?: ((error: unknown) => void) | undefined;
}
