import { Lexer, Tokenizer, type Token, type Tokens } from "marked";

/** Lists and quotes within each other, so deep that nobody writes them: they take a time that grows with the square of it. */
const deep = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){16}/mu;

/** More signs for emphasis than any text has. Pairing them takes a time that grows with the square of their number. */
const maxSigns = 800;
const signs = /[*_~]/gu;

/** Words longer than any, which could be the beginning of an email address at each of their underscores. */
const longWord = /[\w.!#$%&'*+/=?`{|}~-]{400,}/gu;
const maxUnderscores = 40;

class PlainTokenizer extends Tokenizer {
  override emStrong(): Tokens.Em | Tokens.Strong | undefined {
    return undefined;
  }

  override del(): Tokens.Del | undefined {
    return undefined;
  }
}

/** Splits Markdown into blocks. A hostile text, which would take seconds, is not looked at as closely. */
export function lex(text: string): readonly Token[] {
  const hasLongWord = (text.match(longWord) ?? []).some((word) => word.split("_").length > maxUnderscores);
  if (hasLongWord || deep.test(text)) return asParagraph(text);
  const isPlain = (text.match(signs)?.length ?? 0) > maxSigns;
  try {
    return new Lexer({ gfm: true, ...(isPlain ? { tokenizer: new PlainTokenizer() } : {}) }).lex(text);
  } catch {
    return asParagraph(text);
  }
}

function asParagraph(text: string): readonly Token[] {
  return [{ type: "paragraph", raw: text, text, tokens: [{ type: "text", raw: text, text }] }];
}
