import Turndown from "turndown";

/** Elements without text for a reader. */
const unread = ["script", "style", "noscript", "template", "iframe", "svg", "head", "nav", "button", "input", "select"];

/**
 * Turns HTML into Markdown, for a model to read.
 *
 * @throws {Error} it is too deeply nested.
 */
export function toMarkdown(html: string): string {
  const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  turndown.addRule("unread", {
    filter: ({ nodeName }) => unread.includes(nodeName.toLowerCase()),
    replacement: () => "",
  });
  try {
    return turndown.turndown(html);
  } catch (error) {
    throw new Error("The page cannot be read: its HTML is too deeply nested.", { cause: error });
  }
}
