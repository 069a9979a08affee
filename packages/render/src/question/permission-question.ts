import type { AskedAction as Asked, AskedFact } from "@acp/core/state";

import type { ShownContent } from "../shown.ts";

/** What an agent wants to do, and the options to choose from. */
export interface PermissionQuestion {
  readonly sessionId: string;
  readonly isOfAgent: boolean;
  /** The title is this program's: a policy asks about what the agent does, and not the agent itself. */
  readonly isOwn?: boolean;
  readonly asked: AskedAction;
  readonly toolCallId: string | undefined;
  readonly options: readonly PermissionOption[];
}

/** What the agent asks for, in its own words. */
export type AskedAction = Asked<ShownContent>;

/** One thing to judge. */
export type QuestionFact = AskedFact<ShownContent>;

/** The same with content as it is shown. */
export function withShownContent<Content>(
  asked: Asked<Content>,
  show: (content: Content) => readonly ShownContent[],
): AskedAction {
  return {
    ...asked,
    content: asked.content.flatMap(show),
    facts: asked.facts.flatMap((fact): QuestionFact[] =>
      fact.about === "content" ? show(fact.content).map((content) => ({ ...fact, content })) : [fact],
    ),
  };
}

/** The commands that the agent announces now. */
export function currentCommands({ facts }: Asked<unknown>): readonly string[] {
  return facts.flatMap((fact) => (fact.about === "command" && !fact.isEarlier ? [fact.value] : []));
}

/** An answer to choose. */
export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  /** `allow_once`, `allow_always`, `reject_once` or `reject_always`; in version 2 also an unknown kind. */
  readonly kind: string;
}
