import { CommandLineError } from "../cli/exit.ts";

/**
 * The words of a command line, as a shell of POSIX splits it: quotes and backslashes, and nothing else.
 *
 * @throws {CommandLineError} if a quote is not closed.
 */
export function splitWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let index = 0; index < line.length; index++) {
    const character = line[index] ?? "";
    const isEscape = character === "\\" && quote !== "'" && index + 1 < line.length;
    if (isEscape) word = (word ?? "") + (line[++index] ?? "");
    else if (character === quote) quote = "";
    else if (quote === "" && (character === '"' || character === "'")) {
      quote = character;
      word ??= "";
    } else if (quote === "" && /\s/u.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (quote !== "") throw new CommandLineError(`A quote is not closed: ${line}`);
  return word === undefined ? words : [...words, word];
}
