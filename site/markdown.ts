// What the site does with the repository's Markdown, which stays as GitHub shows it.
import { relative } from "node:path";
import type { MarkdownRenderer } from "vitepress";

import { picture, root, target } from "./links.ts";
import { ruleAddress, splitAtRules } from "./rule-links.ts";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];
type TokenClass = new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;

interface Environment {
  /** Missing where VitePress renders a title alone. */
  readonly path?: string;
  /** The file in the repository, if the page has another place. */
  readonly realPath?: string;
}

/** Links to files lead to their pages or to the repository, pictures come from the site, and numbers of rules are links. */
export function linkRepository(md: MarkdownRenderer): void {
  md.core.ruler.after("inline", "repository-links", (state) => {
    const { path, realPath = path } = state.env as Environment;
    if (realPath === undefined) return;
    const file = relative(root, realPath).replaceAll("\\", "/");
    const ownPage = file.startsWith("site/generated/rules/");
    for (const block of state.tokens) {
      if (block.children === null) continue;
      for (const [index, token] of block.children.entries()) rewrite(file, token, block.children[index + 1]);
      if (!ownPage && block.type === "inline") block.children = linkRules(block.children, state.Token);
    }
  });
}

function rewrite(file: string, token: Token, next: Token | undefined): void {
  const src = token.type === "image" ? token.attrGet("src") : null;
  if (src !== null) token.attrSet("src", picture(file, src));
  const href = token.type === "link_open" ? token.attrGet("href") : null;
  if (href !== null) token.attrSet("href", ruleAddress(next?.content ?? "") ?? target(file, href));
}

function linkRules(tokens: readonly Token[], Token: TokenClass): Token[] {
  let depth = 0;
  return tokens.flatMap((token) => {
    if (token.type === "link_open") depth++;
    if (token.type === "link_close") depth--;
    if (depth > 0 || !["text", "code_inline"].includes(token.type)) return [token];
    const parts = splitAtRules(token.content);
    const whole = parts.length === 1 || token.type === "text";
    return whole && parts.some(({ href }) => href !== undefined)
      ? parts.flatMap((part) => asTokens(part, token, Token))
      : [token];
  });
}

function asTokens(
  { text, href }: { readonly text: string; readonly href?: string },
  like: Token,
  Token: TokenClass,
): Token[] {
  const token = Object.assign(new Token(like.type, like.tag, 0), {
    content: text,
    markup: like.markup,
    level: like.level,
  });
  if (href === undefined) return [token];
  const open = new Token("link_open", "a", 1);
  open.attrSet("href", href);
  return [open, token, new Token("link_close", "a", -1)];
}
