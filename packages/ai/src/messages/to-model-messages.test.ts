import { expect, test } from "vitest";
import { toModelMessages } from "./to-model-messages.ts";

test("a text is a text", () => {
  expect(toModelMessages([{ type: "text", text: "Hello" }])).toEqual([{ role: "user", content: "Hello" }]);
  expect(toModelMessages([{ type: "text", text: "" }])).toEqual([]);
});

test("images and files are files; embedded text and links say where they are from", () => {
  const [message] = toModelMessages([
    { type: "image", data: "aQ==", mimeType: "image/png" },
    { type: "resource", resource: { uri: "file:///a.ts", text: "let a;" } },
    { type: "resource", resource: { uri: "file:///b.pdf", mimeType: "application/pdf", blob: "cA==" } },
    { type: "resource_link", uri: "file:///c.ts", name: "c.ts" },
  ]);
  expect(message?.content).toEqual([
    { type: "file", data: "aQ==", mediaType: "image/png" },
    { type: "text", text: '<resource uri="file:///a.ts">\nlet a;\n</resource>' },
    { type: "text", text: "The next file is file:///b.pdf" },
    { type: "file", data: "cA==", mediaType: "application/pdf", filename: "b.pdf" },
    { type: "text", text: "[c.ts](file:///c.ts)" },
  ]);
});
