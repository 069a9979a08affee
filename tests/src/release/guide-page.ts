// A page of the guide that is followed word for word from an empty folder, with an empty home and without a network. Only
// esbuild and ws are not fetched: they are those of these tests.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";

import { pack, root, run } from "../support/packages.ts";
import { executableOf } from "../support/runtimes.ts";

interface Block {
  readonly language: string;
  /** The name of a file, or `output`. */
  readonly name: string;
  readonly code: string;
}

export class GuidePage {
  readonly text: string;
  /** The folder in which the page begins, beside the clone `acp`. */
  readonly base: string;
  readonly #blocks: readonly Block[];

  constructor(name: string) {
    this.text = readFileSync(join(root, `docs/guide/${name}.md`), "utf8");
    this.#blocks = [...this.text.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gmsu)].map(
      ([, language = "", file = "", code = ""]) => ({ language, name: file, code }),
    );
    this.base = realpathSync(mkdtempSync(join(tmpdir(), "acp-guide-")));
  }

  /** The lines for a shell, in the order of the page. */
  get commands(): readonly string[] {
    return this.#blocks.filter(({ language }) => language === "sh").map(({ code }) => code);
  }

  /** The names of the files that the page shows. */
  get files(): readonly string[] {
    return this.#blocks.map(({ name }) => name).filter((name) => name.includes("."));
  }

  /** The content of a file that the page shows; of one that it shows several times, the one with that index. */
  file(name: string, index = 0): string {
    return this.#blocks.filter((block) => block.name === name)[index]?.code ?? "";
  }

  /** Makes the tarballs that a command of the page installs. */
  async pack(install: string): Promise<void> {
    const folder = join(this.base, "acp/dist");
    mkdirSync(folder, { recursive: true });
    const names = /acp-\{([\w,-]+)\}/u.exec(install)?.[1]?.split(",") ?? [];
    await pack(
      names.map((name) => `@acp/${name}`),
      folder,
    );
  }

  /** A command that runs lines of the page in a shell that has nothing of the user's, and no network. */
  shell(lines: string): { readonly command: string; readonly args: readonly string[] } {
    const folderOf = (name: string): string => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const programs = [dirname(executableOf("node24")), join(root, "tests/runtimes/node_modules/.bin")];
    const path = [...programs, process.env["PATH"]].join(delimiter);
    const settings = [
      `HOME=${this.base}`,
      `PATH=${path}`,
      "npm_config_offline=true",
      "npm_config_update_notifier=false",
    ];
    const script = lines
      .replace("npm install --save-dev esbuild\n", `npm install --save-dev ${folderOf("esbuild")}\n`)
      .replace("npm install ws\n", `npm install ${folderOf("ws")}\n`);
    return { command: "env", args: ["-i", ...settings, "bash", "-c", `set -e\n${script}`] };
  }

  /** Runs lines of the page to their end, without an input; returns what they print. */
  run(lines: string, cwd: string): Promise<string> {
    // `acp exec` also reads a prompt from stdin, to its end.
    const { command, args } = this.shell(`exec </dev/null\n${lines}`);
    return run(command, args, cwd);
  }

  remove(): void {
    rmSync(this.base, { recursive: true });
  }
}
