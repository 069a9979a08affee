const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A text inside of XML or HTML, also in quotes. What XML cannot carry, or turns the text around, is replaced. */
export function escapeMarkup(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- XML has no place for these, nor for half of a pair
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\p{Surrogate}\p{Bidi_Control}]/gu, "\uFFFD")
      .replaceAll(/[&<>"']/gu, (character) => names[character] ?? character)
  );
}
