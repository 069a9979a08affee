import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { clientKinds } from "../testing/clients.ts";
import { type Call, play, type PlayOptions } from "../testing/play.ts";
import { createProject, type Project } from "../testing/project.ts";

const client2 = clientKinds.at(-1) ?? expect.fail();

/** What the model gets for calls of one step. */
async function answers(project: Project, calls: readonly Call[], options?: PlayOptions): Promise<readonly string[]> {
  return (await play(client2, project, [calls], options)).texts;
}

function createTree(): Project {
  const project = createProject({
    ".git/config": "needle",
    ".gitignore": "dist/\n*.log\n!keep.log\n/only-top.txt\n",
    ".hidden": "needle",
    "a.ts": "const needle = 1;\n",
    "debug.log": "needle",
    "dist/a.js": "needle",
    "keep.log": "needle",
    "node_modules/x/index.js": "needle",
    "only-top.txt": "needle",
    "src/.gitignore": "local/\n!debug.log\n",
    "src/b.ts": "one\ntwo needle\nthree\nfour\nfive Needle\n",
    "src/debug.log": "needle",
    "src/local/c.ts": "needle",
    "src/only-top.txt": "",
    "src/ünï côde.ts": "needle 🙂",
  });
  symlinkSync("/etc", project.at("link"));
  return project;
}

describe("list", () => {
  test("shows a folder, without files that Git ignores and without links", async () => {
    const project = createTree();
    const calls: Call[] = [
      ["list", {}],
      ["list", { path: "src" }],
      ["list", { path: "dist" }],
    ];
    const { texts, calls: shown } = await play(client2, project, [calls]);
    expect(texts).toEqual([
      ".gitignore\n.hidden\na.ts\nkeep.log\nsrc/",
      ".gitignore\nb.ts\ndebug.log\nonly-top.txt\nünï côde.ts",
      "a.js",
    ]);
    expect(shown).toMatchObject([{ title: "List .", kind: "search", status: "completed" }, { title: "List src" }, {}]);
  });

  test("finds files by a glob, relative to the folder", async () => {
    const project = createTree();
    const pattern = (glob: string, path?: string): Call => ["list", { pattern: glob, ...(path && { path }) }];
    const calls = [pattern("*.ts"), pattern("src/*"), pattern("**/*.{log,txt}"), pattern("*.ts", "src"), pattern("no")];
    const { texts, calls: shown } = await play(client2, project, [calls]);
    expect(texts).toEqual([
      "a.ts\nsrc/b.ts\nsrc/ünï côde.ts",
      "src/.gitignore\nsrc/b.ts\nsrc/debug.log\nsrc/only-top.txt\nsrc/ünï côde.ts",
      "keep.log\nsrc/debug.log\nsrc/only-top.txt",
      "b.ts\nünï côde.ts",
      "[No file matches.]",
    ]);
    expect(shown[0]).toMatchObject({ title: "Find *.ts in ." });
  });

  test("follows the rules of the whole repository from a folder of it", async () => {
    const repository = createProject({ ".git/HEAD": "", ".gitignore": "*.log", "app/a.log": "", "app/a.ts": "" });
    const { texts } = await play(client2, { ...repository, path: repository.at("app") }, [[["list", {}]]]);
    expect(texts).toEqual(["a.ts"]);
  });

  test("reports how many names it leaves out, and rejects a path that is not a folder", async () => {
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${1000 + index}`, ""]));
    const project = createProject(files);
    symlinkSync("/etc", project.at("link"));
    const paths = ["1000", "none", "..", "link"];
    const texts = await answers(project, [["list", {}], ...paths.map((path): Call => ["list", { path }])]);
    expect(texts[0]).toMatch(/^1000\n.*\n1499\n\[100 more\. List a folder below, or use a narrower pattern\.\]$/su);
    expect(texts.slice(1, 3)).toEqual(["There is no folder 1000.", "There is no folder none."]);
    expect(texts[3]).toContain(".. is outside of this session.");
    expect(texts[4]).toContain("link is outside of this session.");
  });

  test("is not held up by rules and globs that take very long", async () => {
    const name = "a".repeat(200);
    const project = createProject({ ".gitignore": `${"*a".repeat(100)}b\n*.log`, [name]: "", "x.log": "" });
    const calls: Call[] = [
      ["list", {}],
      ["list", { pattern: `${"*a".repeat(40)}b` }],
    ];
    const texts = await answers(project, calls);
    expect(texts[0]).toBe(`.gitignore\n${name}`);
    expect(texts[1]).toMatch(/^(?:\[No file matches\.\]|The pattern takes too long)/u);
  });
});

describe("search", () => {
  test("shows the lines that match, by file", async () => {
    const { texts, calls } = await play(client2, createTree(), [
      [
        ["search", { pattern: "needle" }],
        ["search", { pattern: "need[l]e", path: "src", ignoreCase: true, context: 1 }],
        ["search", { pattern: "^two", path: "src/b.ts" }],
        ["search", { pattern: "needle", files: "*.ts" }],
        ["search", { pattern: "nowhere" }],
      ],
    ]);
    expect(texts).toEqual([
      [
        ".hidden\n1: needle",
        "a.ts\n1: const needle = 1;",
        "keep.log\n1: needle",
        "src/b.ts\n2: two needle",
        "src/debug.log\n1: needle",
        "src/ünï côde.ts\n1: needle 🙂",
      ].join("\n\n"),
      [
        "src/b.ts\n1- one\n2: two needle\n3- three\n4- four\n5: five Needle\n6- ",
        "src/debug.log\n1: needle",
        "src/ünï côde.ts\n1: needle 🙂",
      ].join("\n\n"),
      "src/b.ts\n2: two needle",
      "a.ts\n1: const needle = 1;\n\nsrc/b.ts\n2: two needle\n\nsrc/ünï côde.ts\n1: needle 🙂",
      "[Nothing found.]",
    ]);
    expect(calls[1]).toMatchObject({ title: "Search src for need[l]e", kind: "search", status: "completed" });
  });

  test("leaves out binary files and large ones, and cuts long lines where the match is", async () => {
    const project = createProject({
      binary: "needle\0",
      "crlf.txt": "needle\r\nend",
      "large.txt": "needle\n".repeat(1_000_000),
      "long.txt": `${"x".repeat(5000)}needle${"y".repeat(5000)}`,
    });
    const [text] = await answers(project, [["search", { pattern: "needle$|needley" }]]);
    expect(text).toMatch(
      /^crlf\.txt\n1: needle\n\nlong\.txt\n1: …x{50}needley+…\n\n\[Skipped 1 file larger than 4 MiB\.\]$/u,
    );
    expect(text?.length).toBeLessThan(500);
  });

  test("stops when it has found much", async () => {
    const project = createProject({ "a.txt": "needle\n".repeat(1000), "b.txt": "needle" });
    const [text] = await answers(project, [["search", { pattern: "needle" }]]);
    expect(text?.match(/^\d+: needle$/gmu)).toHaveLength(200);
    expect(text).toMatch(/\[There may be more: this stops after 200 lines\. Search more narrowly\.\]$/u);
  });

  test("ends an expression that would take for ever, and a wrong one", async () => {
    const project = createProject({ "a.txt": `${"a".repeat(50)}!` });
    const texts = await answers(project, [
      ["search", { pattern: "^(a+)+$" }],
      ["search", { pattern: "(" }],
      ["search", { pattern: "a", path: "none" }],
      ["search", { pattern: "root", path: "/etc" }],
    ]);
    expect(texts[0]).toContain("The pattern takes too long: it backtracks too much.");
    expect(texts[1]).toContain("The pattern is no regular expression: Invalid regular expression");
    expect(texts[2]).toBe("There is no file or folder none.");
    expect(texts[3]).toContain("/etc is outside of this session.");
  });

  test("waits for no pipe", async () => {
    const project = createProject();
    execFileSync("sh", ["-c", 'mkfifo "$0"', project.at("pipe")]);
    const texts = await answers(project, [
      ["search", { pattern: "a", path: "pipe" }],
      ["search", { pattern: "a" }],
      ["read", { path: "pipe" }],
    ]);
    expect(texts).toEqual([
      "pipe is neither a file nor a folder.",
      "[Nothing found.]",
      "pipe is a device, a pipe or a socket, which cannot be read.",
    ]);
  });

  test("is ended by a cancel", async () => {
    const cancel = new AbortController();
    const project = createProject({ "a.txt": `${"a".repeat(50)}!` });
    // The user sees the call before being asked: however slow the machine is, it is the call that the cancel ends.
    const answer = (): boolean => {
      setTimeout(() => cancel.abort(), 100);
      return true;
    };
    const steps = [[["search", { pattern: "^(a+)+$" }]]] as const;
    const { stopReason, calls } = await play(client2, project, steps, { signal: cancel.signal, answer });
    expect(stopReason).toBe("cancelled");
    expect(calls).toMatchObject([{ status: "cancelled" }]);
  });
});
