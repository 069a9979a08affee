/**
 * Cuts a text to at most `maxLength` UTF-16 code units. It never cuts a character in half: many clients reject a whole
 * message because of a lone surrogate.
 */
export function truncateText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/u, "");
}
