// A real browser for the tests, from npm: a Chromium without a window that is made for servers, with the libraries that
// it needs. It runs on any Linux on x64; elsewhere there has to be a Chromium or Chrome already.
import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";

import { type Browser, chromium } from "playwright-core";

import { hangs } from "../../support/hangs.ts";

/** Starts the browser. `CHROME_PATH` may say which. */
export async function launchChromium(): Promise<Browser> {
  const { executablePath, libraries } = await findChromium();
  const env = libraries === undefined ? {} : { env: { ...process.env, LD_LIBRARY_PATH: libraries } };
  try {
    const browser = await chromium.launch({ executablePath, args: ["--disable-gpu", "--disable-quic"], ...env });
    browser.on("context", (context) => context.setDefaultTimeout(hangs));
    return browser;
  } catch (cause) {
    // A Linux without glibc, for instance; the cause has what the browser said.
    throw new Error(`Chromium does not start (${executablePath}): ${hint}`, { cause });
  }
}

const hint =
  "install Chromium or Chrome (on Debian: `apt-get install chromium`), and set CHROME_PATH to its executable";

interface Executable {
  readonly executablePath: string;
  /** Where its shared libraries are, if the system need not have them. */
  readonly libraries?: string;
}

/** Where those who have a browser have it. */
const usualPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** @throws if there is none, in one line that says what to install. */
export async function findChromium(
  wanted: string | undefined = process.env["CHROME_PATH"],
  platform: string = `${process.platform}-${process.arch}`,
  installed: readonly string[] = usualPaths,
): Promise<Executable> {
  if (wanted !== undefined) {
    if (existsSync(wanted)) return { executablePath: wanted };
    throw new Error(`Chromium is missing: CHROME_PATH is ${wanted}, but there is no such file`);
  }
  if (platform === "linux-x64") return unpacked();
  const executablePath = installed.find((path) => existsSync(path));
  if (executablePath !== undefined) return { executablePath };
  throw new Error(`Chromium is missing: ${hint}`);
}

const require = createRequire(new URL("../../../runtimes/package.json", import.meta.url));
/** Unpacking takes two seconds and 210 MB: done once for each version. */
const cache = fileURLToPath(new URL("../../../node_modules/.cache/", import.meta.url));

async function unpacked(): Promise<Executable> {
  const bin = packagedBin();
  // The package names neither its version nor its files: the folder it is installed in does.
  const version = /@sparticuz\+chromium@([^/]+)/.exec(bin)?.[1] ?? "unknown";
  const folder = join(cache, `chromium-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const temporary = mkdtempSync(join(cache, "unpacking-"));
    await inflate(join(bin, "chromium.br"), join(temporary, "chromium"), 0o755);
    await untar(join(bin, "al2023.tar.br"), temporary);
    try {
      // Whole or not at all, whoever else does the same.
      renameSync(temporary, folder);
    } catch (error) {
      rmSync(temporary, { recursive: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return { executablePath: join(folder, "chromium"), libraries: join(folder, "lib") };
}

function packagedBin(): string {
  try {
    return join(dirname(require.resolve("@sparticuz/chromium")), "../bin");
  } catch (cause) {
    throw new Error(
      "Chromium is missing: run `node tools/pnpm.mjs install`, which installs it from npm, or set CHROME_PATH to its executable",
      { cause },
    );
  }
}

async function inflate(file: string, to: string, mode: number): Promise<void> {
  await pipeline(createReadStream(file), createBrotliDecompress(), createWriteStream(to, { mode }));
}

/** By way of a file: tar may end at the mark of the archive's end, before a pipe to it has taken all of the padding. */
async function untar(file: string, directory: string): Promise<void> {
  const archive = join(directory, "archive.tar");
  await inflate(file, archive, 0o644);
  await promisify(execFile)("tar", ["-x", "-f", archive, "-C", directory]);
  rmSync(archive);
}
