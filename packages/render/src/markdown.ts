/**
 * Markdown as blocks of tokens, for a program that draws it in its own way, such as a page.
 *
 * @module
 */
export { plainText } from "./markdown/inline-spans.ts";
export { MarkdownBlocks, type MarkdownPart, type ReadMarkdown } from "./markdown/markdown-blocks.ts";
