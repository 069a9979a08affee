/** What the user has done with a form or a URL of the agent, in a word. */
export function answerWord(kind: "form" | "url", action: "accept" | "decline" | "cancel"): string {
  if (action === "accept") return kind === "form" ? "sent" : "opened";
  return action === "decline" ? "declined" : "closed";
}
