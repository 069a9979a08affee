/**
 * Makes an id that nobody else makes: a random UUID of version 4.
 *
 * By `getRandomValues`: `crypto` makes UUIDs only in secure contexts, and a page that came over plain HTTP is none.
 */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-8$4-");
}
