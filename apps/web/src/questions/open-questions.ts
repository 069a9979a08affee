import { type Elicitation, type PermissionQuestion, useElicitations, usePermissions } from "@acp/react";

/** Something that the agent waits for. */
export type OpenQuestion = PermissionQuestion | Elicitation;

/** The questions of a session, and those that are of none, in the order in which they came. */
export function useQuestions(session: string | undefined): readonly OpenQuestion[] {
  const permissions = usePermissions();
  const elicitations = useElicitations();
  return [...permissions, ...elicitations]
    .filter(({ sessionId }) => sessionId === undefined || sessionId === session)
    .toSorted((one, other) => one.id - other.id);
}

/** The sessions that wait for an answer. */
export function useAskingSessions(): ReadonlySet<string | undefined> {
  return new Set([...usePermissions(), ...useElicitations()].map(({ sessionId }) => sessionId));
}
