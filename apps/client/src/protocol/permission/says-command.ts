/**
 * Whether the title of a call is its command. Agents also send it in code marks, quoted as one word (codex-acp 2), or as the
 * script of a shell (codex-acp before that): the transcript need not have it twice. A question always shows it.
 */
export function saysCommand(text: string, command: string): boolean {
  if (text === command || text === `\`${command}\``) return true;
  const words = wordsOf(command);
  const [first = "", option = "", script] = words;
  if (words.length === 1) return first === text;
  return words.length === 3 && shells.test(first) && /^-l?c$/u.test(option) && script === text;
}

const shells = /^(?:(?:\/usr)?\/bin\/)?(?:ba|da|z)?sh$/u;

/** A part of a word that a shell takes as it is, within quotes or behind a backslash. */
const quoted = /'[^']*'|"(?:[^"\\$`]|\\[^])*"|\\[^\n]/u.source;
const word = new RegExp(String.raw`(?:${quoted}|[\w@%+=:,./-])+`, "uy");
const part = new RegExp(quoted, "gu");

/** The words of a line without anything but words; none if it has more. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < line.length;) {
    word.lastIndex = at;
    const found = word.exec(line)?.[0];
    if (found === undefined) return [];
    words.push(found.replaceAll(part, unquote));
    at += found.length;
    if (at < line.length && line[at] !== " ") return [];
    at += 1;
  }
  return words;
}

function unquote(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  if (text.startsWith('"')) return text.slice(1, -1).replaceAll(/\\([\\"$`])/gu, "$1");
  return text.slice(1);
}
