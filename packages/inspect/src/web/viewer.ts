import { readFile } from "node:fs/promises";

/** The page of the viewer with data in it, or with the request that a live page may make. */
export async function viewerWith({
  data,
  title,
  isLive = false,
}: {
  readonly data: string;
  readonly title: string;
  readonly isLive?: boolean;
}): Promise<string> {
  const page = await readFile(new URL("../../dist/viewer.html", import.meta.url), "utf8");
  const name = title.replaceAll(/[&<>"]/gu, (sign) => `&#${sign.charCodeAt(0)};`);
  // Functions, since a text may have what `replace` would understand.
  return page
    .replace("default-src 'none'", isLive ? "default-src 'none'; connect-src 'self'" : "default-src 'none'")
    .replace("<!-- title -->", () => name)
    .replace("<!-- data -->", () => data);
}
