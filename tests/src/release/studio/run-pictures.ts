// `npm run pictures:studio`: takes the pictures of the studio that the guide shows.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

import { clientProgram, referenceAgent, sampleProject } from "../../support/main-job-programs.ts";
import { launchChromium } from "../browser/chromium.ts";

const docs = fileURLToPath(new URL("../../../../docs/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "acp-studio-"));
const recording = join(folder, "session.ndjson");
const browser = await launchChromium();
try {
  using project = sampleProject();
  const acp = (...args: readonly string[]): Buffer =>
    execFileSync(process.execPath, [clientProgram, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  acp("exec", "--cwd", project.path, "--allow", "--trace", recording, "Fix the failing test", ...referenceAgent);
  // Many agents make this mistake.
  const recorded = readFileSync(recording, "utf8").replace('"status":"in_progress"', '"status":"running"');
  writeFileSync(recording, recorded.replaceAll(project.path, "/home/you/orders"));
  const out = join(folder, "session.html");
  acp("inspect", recording, "--out", out);
  for (const { name, hash, colorScheme, row } of [
    { name: "studio-messages", hash: "#v=timeline", colorScheme: "light", row: "#list .row.wrong" },
    {
      name: "studio-session",
      hash: "#d=session&q=session%2Frequest_permission",
      colorScheme: "dark",
      row: "#list .row",
    },
  ] as const) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme });
    await page.goto(`${pathToFileURL(out).href}${hash}`);
    await page.locator(row).first().click();
    await page.locator("#detail .content > *").first().waitFor();
    if (hash.includes("q=")) await page.evaluate(() => (location.hash = location.hash.replace(/&?q=[^&]*/u, "")));
    await page.locator("#list .row").nth(5).waitFor();
    await page.screenshot({ path: join(docs, `${name}.png`), animations: "disabled" });
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
