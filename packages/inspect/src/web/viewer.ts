import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

/** What stands in front of several traces. */
export interface FrontPage {
  /** The title of the page, as text. */
  readonly title: string;
  /** The content, as HTML: what others wrote must be escaped. `<a href="#t=id">` opens the trace with this id. */
  readonly html: string;
  /** The style of the content, all of it below `#front`. */
  readonly style: string;
}

/** The page of the viewer with data in it, or with the request that a live page may make. */
export async function viewerWith({
  data,
  title,
  isLive = false,
  front,
}: {
  readonly data: string;
  readonly title: string;
  readonly isLive?: boolean;
  readonly front?: FrontPage;
}): Promise<string> {
  const page = await readFile(new URL("../../dist/viewer.html", import.meta.url), "utf8");
  const name = title.replaceAll(/[&<>"]/gu, (sign) => `&#${sign.charCodeAt(0)};`);
  // Functions, since a text may have what `replace` would understand.
  return page
    .replace("default-src 'none'", isLive ? "default-src 'none'; connect-src 'self'" : "default-src 'none'")
    .replace("style-src", () => (front === undefined ? "style-src" : `style-src ${hashOf(front.style)}`))
    .replace("<!-- title -->", () => name)
    .replace("<!-- front -->", () =>
      front === undefined ? "" : `<style>${front.style}</style>\n<main id="front">${front.html}</main>`,
    )
    .replace("<!-- data -->", () => data);
}

/** Allows a style in the policy of a page. */
function hashOf(style: string): string {
  return `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
}
