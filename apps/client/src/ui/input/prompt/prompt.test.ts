import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

import { afterEach, beforeEach, expect, test } from "vitest";

import { attachmentBlocks } from "../../../protocol/attachment-blocks.ts";
import { attachmentOf } from "../../../protocol/file-kind.ts";
import { toPrompt } from "./to-prompt.ts";

const png = Buffer.from("89504e470d0a1a0a0000", "hex");
const all = { image: true, audio: true, embeddedContext: true };
const nothing = { image: false, audio: false, embeddedContext: false };

let cwd = "";
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "acp-prompt-test-"));
  mkdirSync(join(cwd, "my docs"));
  writeFileSync(join(cwd, "a.ts"), "const a = 1;\n");
  writeFileSync(join(cwd, "my docs/b c.md"), "# b");
  writeFileSync(join(cwd, "my docs/pic ture.png"), png);
  writeFileSync(join(cwd, "fake.png"), "no image");
  writeFileSync(join(cwd, "data.bin"), Buffer.from([0, 1, 2]));
  writeFileSync(join(cwd, "big.txt"), "x".repeat(300 * 1024));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const pathsOf = (text: string): string[] =>
  toPrompt(text, cwd).attachments.map(({ path }) => path.slice(cwd.length + 1));

test.each<[string, string[]]>([
  ["see @a.ts, please", ["a.ts"]],
  ["(@a.ts:12)", ["a.ts"]],
  ["@a.ts#L3-L9 and @a.ts", ["a.ts"]],
  ['@"my docs/b c.md"', ["my docs/b c.md"]],
  [String.raw`@my\ docs/b\ c.md`, ["my docs/b c.md"]],
  ["all of @my\\ docs", ["my docs"]],
  ["mail me@a.ts or @nobody", []],
  ["a.ts and ./a.ts are only words", []],
  ["look at ./fake.png but not fake.png", ["fake.png"]],
  ["'./my docs/pic ture.png' as dropped", ["my docs/pic ture.png"]],
])("toPrompt() finds the files in %j", (text, expected) => {
  expect(pathsOf(text)).toEqual(
    expected.map((path) => path.split("/").join(process.platform === "win32" ? "\\" : "/")),
  );
});

test("a dropped image is found by its absolute path, and by its URL", () => {
  const path = join(cwd, "my docs/pic ture.png");
  expect(pathsOf(path.replaceAll(" ", "\\ "))).toHaveLength(1);
  expect(pathsOf(pathToFileURL(path).href)).toHaveLength(1);
});

test("attachmentBlocks() makes blocks that the agent accepts", async () => {
  const paths = ["a.ts", "my docs/pic ture.png", "data.bin", "big.txt", "my docs"].map((name) => join(cwd, name));
  const attachments = paths.map((path) => attachmentOf(path));
  const { blocks, notes } = await attachmentBlocks(attachments, all);
  const link = (path: string, size?: number) => ({
    type: "resource_link",
    uri: pathToFileURL(path).href,
    name: basename(path),
    ...(size === undefined ? {} : { size }),
  });
  const [text = "", image = "", data = "", big = "", folder = ""] = paths;
  expect(notes).toEqual([]);
  expect(blocks).toEqual([
    { type: "resource", resource: { uri: pathToFileURL(text).href, text: "const a = 1;\n" } },
    { type: "image", data: png.toString("base64"), mimeType: "image/png", uri: pathToFileURL(image).href },
    link(data, 3),
    link(big, 300 * 1024),
    link(folder),
  ]);
  const plain = await attachmentBlocks(attachments, nothing);
  expect(plain.blocks.map(({ type }) => type)).toEqual(Array.from(paths, () => "resource_link"));
  expect(plain.notes).toEqual(["The agent takes no images, so it gets a link to pic ture.png."]);
});

test("attachmentBlocks() looks into images, and names unreadable files", async () => {
  const { blocks, notes } = await attachmentBlocks([attachmentOf(join(cwd, "fake.png"))], all);
  expect(blocks).toMatchObject([{ type: "resource_link" }]);
  expect(notes).toEqual(["fake.png is not what its name says, so the agent gets a link to it."]);
  await expect(attachmentBlocks([attachmentOf(join(cwd, "gone.txt"))], all)).rejects.toThrow(
    /gone\.txt cannot be read: there is no such file. Check its path/u,
  );
});
