import { describe, expect, it } from "vitest";
import { planEntries } from "./plan-entries.ts";

const markdown = (content: string) => planEntries({ type: "markdown", planId: "p", content });
const entry = (content: string, status = "pending") => ({ content, priority: "medium", status });

describe("planEntries()", () => {
  it("leaves the entries of a list as they are", () => {
    const entries = [{ content: "A", priority: "high", status: "completed", _meta: { a: 1 } } as const];
    expect(planEntries({ type: "items", planId: "p", entries })).toBe(entries);
  });

  it("takes the tasks of Markdown, with the state of their boxes", () => {
    const text = "# Plan\n- a note\n- [ ] Read\r\n  * [x] Write\n1. [X] Test\n2) [-] Ship   \n+ [~] Tell\n- [/] Rest";
    expect(markdown(text)).toEqual([
      entry("Read"),
      entry("Write", "completed"),
      entry("Test", "completed"),
      entry("Ship", "in_progress"),
      entry("Tell", "in_progress"),
      entry("Rest", "in_progress"),
    ]);
  });

  it("takes the items of its lists where it has no tasks, none from code", () => {
    expect(markdown("Steps:\n1. Read `a`\n2. Write\n```\n- no item\n```\n- Test")).toEqual([
      entry("Read `a`"),
      entry("Write"),
      entry("Test"),
    ]);
  });

  it("takes the text as one entry where it has no list, and nothing from no text", () => {
    expect(markdown("\nFirst read, then write.\nThen test.\n")).toEqual([entry("First read, then write.\nThen test.")]);
    expect(markdown(" \n")).toEqual([]);
  });

  it("names the file of a plan in a file", () => {
    expect(planEntries({ type: "file", planId: "p", uri: "file:///project/plan.md" })).toEqual([
      entry("file:///project/plan.md"),
    ]);
  });

  it("reads a long line of blanks in linear time", () => {
    expect(markdown(`-${" ".repeat(200_000)}`)).toEqual([entry("-")]);
  });
});
