/**
 * The beginning of a text, of so many UTF-16 code units at most. Half of a character is left out: many clients refuse a whole
 * message for it.
 */
export function beginning(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/u, "");
}
