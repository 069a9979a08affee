/** What the first block of a prompt says. */
export function textOf(prompt: readonly { readonly type: unknown; readonly text?: unknown }[]): string {
  return String(prompt[0]?.text ?? prompt[0]?.type);
}
