import { describe, expect, test } from "vitest";

import { parseCommandFile } from "./parse-command-file.ts";

describe("a command in a file", () => {
  test("has a description and a hint in its front matter", () => {
    const file =
      "---\r\ndescription: 'Explains: a file'\nargument-hint: [path] [depth]\nmodel: opus\n---\n\nExplain $1.\n";
    expect(parseCommandFile(file)).toEqual({
      description: "Explains: a file",
      hint: "[path] [depth]",
      text: "Explain $1.",
    });
  });

  test("is described by its first line, and takes input where its text has a place for it", () => {
    expect(parseCommandFile("# Explain a file\n\nExplain $ARGUMENTS.")).toEqual({
      description: "Explain a file",
      hint: "arguments",
      text: "# Explain a file\n\nExplain $ARGUMENTS.",
    });
    expect(parseCommandFile("Review the changes.\n")).toMatchObject({ hint: undefined });
  });

  test("may have a line of dashes in its text", () => {
    expect(parseCommandFile("One\n---\ndescription: no\n---\nTwo")).toMatchObject({
      description: "One",
      hint: undefined,
    });
    expect(parseCommandFile("---\ndescription: yes\n---\nOne\n---\nTwo").text).toBe("One\n---\nTwo");
  });

  test("has a short description, however long its first line is", () => {
    const { description } = parseCommandFile("word ".repeat(1000));
    expect(description.length).toBeLessThanOrEqual(100);
    expect(description).toMatch(/…$/u);
  });
});
