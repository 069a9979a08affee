// `build.mjs`: makes `dist/viewer.html`, the page of a trace without its data. Scripts and styles are in it, and its policy
// allows these alone, and no request.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

import { build } from "rolldown";

const { output } = await build({
  input: "web/main.ts",
  platform: "browser",
  resolve: { conditionNames: ["@acp/source"] },
  logLevel: "warn",
  write: false,
  output: { format: "iife", minify: true, comments: false },
});
// What would end the element cannot be in it.
const script = output[0].code.trim().replaceAll("</script", "<\\/script");
const style = readFileSync("web/page.css", "utf8").replaceAll(/\s+/gu, " ").trim();
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");
const parts = { policy, style, script };
const page = readFileSync("web/page.html", "utf8").replaceAll(
  /\s*<!-- (policy|style|script) -->\s*/gu,
  (_, name) => parts[name],
);
writeFileSync("dist/viewer.html", page);
