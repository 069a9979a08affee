/**
 * Puts what the user has typed behind the name of a command into the text of the command: `$ARGUMENTS` is all of it, `$1` to `$9`
 * are its words; quotes keep several words together. A text without placeholders gets it at its end.
 */
export function fillPlaceholders(text: string, input: string): string {
  const words = splitWords(input);
  let isFilled = false;
  // In one go: what the user has typed is not searched for placeholders.
  const filled = text.replaceAll(/\$(?:ARGUMENTS\b|([1-9])(?!\d))/gu, (_, digit: string | undefined) => {
    isFilled = true;
    return digit === undefined ? input : (words[Number(digit) - 1] ?? "");
  });
  return isFilled || input === "" ? filled : `${text}\n\n${input}`;
}

function splitWords(input: string): string[] {
  const matches = input.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu);
  return [...matches].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}
