import { describe, expect, test } from "vitest";

import { play, stages } from "./testing/models.ts";
import { createProject } from "../tools/testing/project.ts";

const image = { type: "image", data: "aW1hZ2U=", mimeType: "image/png" } as const;
const file = { type: "resource", resource: { uri: "file:///notes.txt", text: "written notes" } } as const;

describe.each(stages)("images and files in prompts, $name", (stage) => {
  test("go to a model that takes them", async () => {
    const { path: cwd } = createProject();
    const { session, server } = await play(stage, [{ text: "A cat." }], { cwd, model: { takesImages: true } });
    await session.prompt([{ type: "text", text: "What is this?" }, image, file]);
    expect(JSON.stringify(server.requests[0])).toMatch(/aW1hZ2U=.*written notes/u);
  });

  test("leave a sentence for a model that takes none, and stay for another one", async () => {
    const { path: cwd } = createProject();
    const { session, server } = await play(stage, [{ text: "What?" }, { text: "A cat." }], {
      cwd,
      more: [{ id: "seeing", takesImages: true }],
    });
    await session.prompt([{ type: "text", text: "What is this?" }, image, file]);
    expect(JSON.stringify(server.requests[0])).toMatch(/An image was here\..*written notes/u);
    expect(JSON.stringify(server.requests[0])).not.toContain("aW1hZ2U=");
    await session.set("model", "seeing");
    await session.prompt("And now?");
    expect(JSON.stringify(server.requests[1])).toContain("aW1hZ2U=");
  });
});
