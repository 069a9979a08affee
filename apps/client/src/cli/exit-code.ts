/** The exit codes of this program. */
export const ExitCode = {
  endTurn: 0,
  failure: 1,
  usage: 2,
  refusal: 3,
  maxTokens: 4,
  maxTurnRequests: 5,
  /** As after Ctrl-C in a shell. */
  cancelled: 130,
} as const;

/** The exit code for the end of a turn. */
export function exitCodeOf(stopReason: string): number {
  switch (stopReason) {
    case "end_turn":
      return ExitCode.endTurn;
    case "refusal":
      return ExitCode.refusal;
    case "max_tokens":
      return ExitCode.maxTokens;
    case "max_turn_requests":
      return ExitCode.maxTurnRequests;
    case "cancelled":
      return ExitCode.cancelled;
    default:
      return ExitCode.failure;
  }
}
