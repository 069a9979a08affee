/**
 * Makes an id that nobody else makes: a random UUID of version 4.
 *
 * By `getRandomValues`: `crypto` makes UUIDs only in secure contexts, and a page that came over plain HTTP is none.
 */
export function randomId(): string {
  return "________-____-4___-8___-____________".replace(/_/g, () => {
    const [digit = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (digit % 16).toString(16);
  });
}
