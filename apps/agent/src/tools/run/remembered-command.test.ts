import { chmodSync, symlinkSync } from "node:fs";
import { delimiter } from "node:path";

import { expect, test } from "vitest";

import { createProject } from "../testing/project.ts";
import { rememberedCommand } from "./remembered-command.ts";
import { resolveProgram } from "./resolve-program.ts";

const keyOf = async (line: string): Promise<string | undefined> => (await rememberedCommand(line, "/"))?.key;

test.each([
  ["npm test", "  npm   test "],
  ["git status", "git status src"],
  ["git log", "git log main v1.2 README.md"],
  ["git log main", "git log"],
  ["cd src && make", "cd src && make"],
])("rememberedCommand() takes %j for %j", async (line, later) => {
  expect(await keyOf(later)).toBe(await keyOf(line));
});

test("rememberedCommand() finds a program by each of its paths", async () => {
  const env = await resolveProgram("env", "/");
  expect(await keyOf(`${env} ls`)).toBe(await keyOf("env ls"));
  const git = await resolveProgram("git", "/");
  expect(await keyOf(`${git} status`)).toBe(await keyOf("git status"));
});

test("resolveProgram() takes the file that a shell would, by its folder without links", async () => {
  const project = createProject({ "a/tool": "", "b/tool": "", "b/text": "" });
  for (const name of ["a/tool", "b/tool"]) chmodSync(project.at(name), 0o755);
  symlinkSync(project.at("b"), project.at("c"));
  symlinkSync(project.at("a/tool"), project.at("b/link"));
  const path = [project.at("c"), project.at("a")].join(delimiter);
  expect(await resolveProgram("tool", "/", { path })).toBe(project.at("b/tool"));
  // With busybox, every program is a link to one file.
  expect(await resolveProgram("link", "/", { path })).toBe(project.at("b/link"));
  expect(await resolveProgram("a/tool", project.path, { path })).toBe(project.at("a/tool"));
  expect(await resolveProgram("./c/tool", project.path, { path })).toBe(project.at("b/tool"));
  expect(await resolveProgram("text", "/", { path })).toBe("text");
  expect(await resolveProgram("tool", project.at("a"), { path: "" })).toBe(project.at("a/tool"));
});

/** What the user has allowed for good. */
const allowed = [
  "git status",
  "git log",
  "git log -1",
  "git diff",
  "git show HEAD",
  "env",
  "env ls",
  "ls",
  "ls src",
  "npm test",
  "npm run lint",
  "node build.js",
  "tar -tf a.tar",
  "awk 1 a",
  "sed -n 1p a",
  "find . -name a",
  "rsync a b",
  "zip a.zip b",
  "curl example.com",
  "cat a",
  "cp a b",
  "make",
];

/** What must be asked all the same. */
const attacks = [
  // Options of Git that start a program or write.
  "git -c core.fsmonitor=/p/x.sh status",
  "git -c core.pager=/p/x.sh log",
  "git --exec-path=/p status",
  "git --exec-path /p status",
  "git -C /p status",
  "git --git-dir=/p/.git status",
  "git --git-dir /p status",
  "git --work-tree=/p status",
  "git --config-env=core.fsmonitor=X status",
  "git -p log",
  "git --paginate log",
  "git log --output=/p/x",
  "git log --output /p/x",
  "git log --ext-diff",
  "git log -2",
  "git log -1 main",
  "git diff --ext-diff",
  "git diff --output=x",
  "git diff --no-index a b",
  "git diff /etc/passwd /dev/null",
  "git diff ../x",
  "git show HEAD:secret",
  "git show --textconv HEAD",
  "git status --porcelain",
  "git status /etc",
  "git status ../..",
  "git status .git/hooks",
  "git status a=b",
  "git config alias.status !sh",
  "git commit",
  "git push",
  "git checkout main",
  "git grep -O/p/x.sh a",
  // Other programs by the same name, or the same one in another way.
  "/tmp/evil/git status",
  "./git status",
  "../git status",
  "git.sh status",
  "GIT status",
  "env git status",
  "command git status",
  "exec git status",
  "PATH=/p git status",
  "GIT_PAGER=/p/x.sh git log",
  "LD_PRELOAD=/p/x.so git status",
  // More than one program.
  "git status; rm -rf x",
  "git status && rm x",
  "git status & rm x",
  "git status | sh",
  "git status\nrm x",
  "git status\r\nrm x",
  "git status $(rm x)",
  "git status `rm x`",
  "git status > x",
  "git status <(rm x)",
  'git status "$(rm x)"',
  "git status {a,b}",
  "git status *",
  "git status ~",
  "git status %PATH%",
  "git status ^& rm x",
  "git\u00A0status",
  "git status\u2028rm",
  // Programs that start others.
  "env rm -rf x",
  "/usr/bin/env rm -rf x",
  "env -S rm",
  "/bin/env sh",
  "xargs rm",
  "nice rm x",
  "timeout 1 rm x",
  "sudo ls",
  "ssh host rm x",
  "watch rm",
  "make evil",
  "make -f /p/x",
  "npm test -- x",
  "npm run evil",
  "npm exec x",
  "npm --prefix /p test",
  "npm --script-shell=/p/x.sh test",
  "node evil.js",
  "node -e 1",
  "node --import=data:text/javascript,1 build.js",
  "find . -exec rm",
  "find . -name a -delete",
  "find . -fprintf x a",
  "tar -tf a.tar --checkpoint-action=exec=x",
  "tar --checkpoint=1 --checkpoint-action=exec=x -tf a.tar",
  "tar -xf a.tar",
  "tar -tf a.tar -I /p/x.sh",
  "awk -f /p/x a",
  "awk -f x",
  "awk 'BEGIN{system(1)}' a",
  "sed -n w/p/x a",
  "sed -n -f x a",
  "sed -i 1p a",
  "sed -n 1e a",
  "rsync -e /p/x.sh a b",
  "rsync a c",
  "zip a.zip b -T -TT x",
  "zip -T a.zip",
  // Programs that write where they are told.
  "curl -o x example.com",
  "curl example.com -o x",
  "curl evil.example",
  "wget -O x example.com",
  "cp a c",
  "cp a b -t .",
  "mv a b",
  "ln -s a b",
  "tee a",
  "dd of=a",
  "cat a b",
  "ls -la",
  "ls lib",
];

test("rememberedCommand() covers none of many lines that could do more than the allowed command", async () => {
  expect(attacks.length).toBeGreaterThan(60);
  const keys = new Map(await Promise.all(allowed.map(async (line) => [await keyOf(line), line] as const)));
  const passing = [];
  for (const line of attacks) {
    const key = await keyOf(line);
    if (key !== undefined && keys.has(key)) passing.push(`${line}, after ${keys.get(key)}`);
  }
  expect(passing).toEqual([]);
});

test.each(["cat .git/config", "sed -i 1d ./x/../.git/config", "echo x >.envrc", "cp a AGENTS.md", "touch $D/.Git/a"])(
  "rememberedCommand() is asked each time for %s, which names a protected place",
  async (line) => {
    expect(await rememberedCommand(line, "/")).toBeUndefined();
  },
);
