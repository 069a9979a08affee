import { Parser } from "htmlparser2";

/** Elements without text for a reader. */
const unread: ReadonlySet<string> = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "iframe",
  "svg",
  "head",
  "nav",
  "button",
  "select",
]);
/** Elements that stand on lines of their own. */
const blocks: ReadonlySet<string> = new Set(
  "p div section article main header footer aside ul ol dl blockquote table figure form hr h1 h2 h3 h4 h5 h6 pre".split(
    " ",
  ),
);
/** Elements that begin a line. */
const lines: ReadonlySet<string> = new Set(["br", "li", "tr", "dt", "dd"]);

/** The parser looks through all open elements for some end tags, which takes long if there are very many. */
const maxDepth = 1000;

/**
 * Turns HTML into Markdown for a model to read: headings, lists, links, code and the cells of tables; the rest is text. It
 * reads each tag once and builds no tree, so that no page takes long.
 *
 * @param url Of the page, which its links are relative to.
 * @throws {Error} the page is nested too deeply.
 */
export function toMarkdown(html: string, url: string): string {
  const text = new MarkdownText();
  let depth = 0;
  let skipped = 0;
  let lists = 0;
  let preformatted = 0;
  let link: string | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      if (depth > maxDepth) throw new Error("the page is nested too deeply");
      if (unread.has(name)) skipped += 1;
      if (skipped > 0) return;
      if (blocks.has(name)) text.breakLines(lists > 0 ? 1 : 2);
      if (lines.has(name)) text.breakLines(1);
      if (name === "ul" || name === "ol") lists += 1;
      if (name === "li") text.begin(`${"  ".repeat(Math.max(0, Math.min(lists, 8) - 1))}- `);
      if (/^h[1-6]$/u.test(name)) text.begin(`${"#".repeat(Number(name[1]))} `);
      if (name === "td" || name === "th") text.separate(" | ");
      if (name === "img" && attributes["alt"]) text.write(`![${attributes["alt"]}]`);
      if (name === "code" && preformatted === 0) text.write("`");
      if (name === "pre") {
        preformatted += 1;
        if (preformatted === 1) text.write("```\n");
      }
      if (name === "a") {
        link = absoluteLink(attributes["href"], url);
        if (link !== undefined) text.write("[");
      }
    },
    ontext(content) {
      if (skipped > 0) return;
      if (preformatted > 0) text.write(content);
      else text.writeCollapsed(content);
    },
    onclosetag(name) {
      depth -= 1;
      if (unread.has(name)) skipped -= 1;
      if (skipped > 0 || unread.has(name)) return;
      if (name === "a" && link !== undefined) {
        text.write(`](${link})`);
        link = undefined;
      }
      if (name === "code" && preformatted === 0) text.write("`");
      if (name === "pre") {
        preformatted -= 1;
        if (preformatted === 0) text.write("\n```");
      }
      if (name === "ul" || name === "ol") lists -= 1;
      if (blocks.has(name)) text.breakLines(lists > 0 ? 1 : 2);
    },
  });
  parser.end(html);
  return text.toString();
}

/** A link that leads out of the page. */
function absoluteLink(href: string | undefined, base: string): string | undefined {
  if (href === undefined || href.startsWith("#") || !URL.canParse(href, base)) return undefined;
  const { protocol, href: absolute } = new URL(href, base);
  return /^https?:$/u.test(protocol) ? absolute : undefined;
}

/** Text that is put together from pieces, with empty lines only where they belong. */
class MarkdownText {
  readonly #pieces: string[] = [];
  /** Line breaks to write before the next piece. */
  #breaks = 0;
  #endsWithSpace = true;
  #isBegun = false;

  breakLines(count: number): void {
    this.#breaks = Math.max(this.#breaks, count);
  }

  /** What a line begins with, if something follows. */
  begin(mark: string): void {
    this.write(mark);
    this.#endsWithSpace = true;
    this.#isBegun = true;
  }

  /** What is between two pieces of a line. */
  separate(mark: string): void {
    if (this.#breaks === 0 && this.#pieces.length > 0) this.write(mark);
    this.#endsWithSpace = true;
  }

  writeCollapsed(content: string): void {
    const collapsed = content.replaceAll(/[\s\u00A0]+/gu, " ");
    const startsLine = this.#breaks > 0 || this.#endsWithSpace;
    this.write(startsLine && collapsed.startsWith(" ") ? collapsed.slice(1) : collapsed);
  }

  write(piece: string): void {
    if (piece === "") return;
    // A paragraph in an item of a list goes on in its line.
    if (this.#breaks > 0 && this.#pieces.length > 0 && !this.#isBegun) this.#pieces.push("\n".repeat(this.#breaks));
    this.#breaks = 0;
    this.#isBegun = false;
    this.#pieces.push(piece);
    this.#endsWithSpace = /\s$/u.test(piece);
  }

  toString(): string {
    return this.#pieces.join("").trim();
  }
}
