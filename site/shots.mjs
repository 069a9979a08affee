// `shots.mjs <folder> [pages]`: pictures of a page of each kind of the built site, for a person to look at: at 390 and 1280 pixels,
// in both themes. `npm run docs` first.
import { createReadStream, existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { launchChromium } from "../tests/src/release/browser/chromium.ts";
import { kinds } from "./kinds.ts";

const dist = fileURLToPath(new URL("dist/", import.meta.url));
const types = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml" };

const [folder, ...chosen] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Say where the pictures go: node site/shots.mjs <folder> [pages]");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const server = createServer(({ url = "/" }, response) => {
  const path = join(dist, new URL(url, "http://localhost").pathname);
  response.writeHead(existsSync(path) ? 200 : 404, { "content-type": types[extname(path)] ?? "text/plain" });
  if (existsSync(path)) createReadStream(path).pipe(response);
  else response.end();
});
await new Promise((resolve) => void server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const browser = await launchChromium();
try {
  for (const kind of chosen.length > 0 ? chosen : kinds)
    for (const width of [390, 1280])
      for (const colorScheme of ["light", "dark"]) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
        const page = await context.newPage();
        await page.goto(`${origin}/${kind}.html`, { waitUntil: "networkidle" });
        await page.screenshot({ path: join(folder, `${kind.replaceAll("/", "-")}-${width}-${colorScheme}.png`) });
        await context.close();
      }
} finally {
  await browser.close();
  server.close();
}
