// `build.mjs`: makes `dist/viewer.html`, the page of a trace without its data. Scripts and styles are in it, and its policy
// allows these alone, and no request. The piece that shows sessions is in it compressed, and runs when it is needed.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

import { build } from "rolldown";

import { thirdPartyLicenses } from "../../../tools/third-party-licenses.mjs";

async function bundle(input) {
  const { output } = await build({
    input,
    platform: "browser",
    resolve: { conditionNames: ["@acp/source"] },
    logLevel: "warn",
    write: false,
    plugins: [thirdPartyLicenses("licenses")],
    output: { format: "iife", minify: true, comments: false, codeSplitting: false },
  });
  return { code: output[0].code.trim(), licenses: output[1].source };
}
// What would end the element cannot be in it.
const script = (await bundle("web/main.ts")).code.replaceAll("</script", "<\\/script");
const { code: sessionCode, licenses } = await bundle("web/session/main.ts");
const packed = (text) => gzipSync(text, { level: 9 }).toString("base64");
const style = readFileSync("web/page.css", "utf8").replaceAll(/\s+/gu, " ").trim();
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)} ${hash(sessionCode)}`,
  `style-src ${hash(style)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types acp-viewer",
].join("; ");
const parts = { policy, style, script, "session-code": packed(sessionCode), licenses: packed(licenses) };
const page = readFileSync("web/page.html", "utf8").replaceAll(
  /\s*<!-- (policy|style|script|session-code|licenses) -->\s*/gu,
  (_, name) => parts[name],
);
writeFileSync("dist/viewer.html", page);
