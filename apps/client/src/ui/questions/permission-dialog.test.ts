import { type PermissionOption, textOf } from "@acp/render";
import { describe, expect, test } from "vitest";

import { askedQuestion } from "../../../../../packages/render/src/question/testing/asked-question.ts";
import { openTypedScreen } from "../testing/typed-screen.ts";
import { permissionDialog } from "./question-dialogs.ts";

const long = "Reject and tell the agent to look for another way, without changing any file on this machine at all";
const options: readonly PermissionOption[] = [
  { optionId: "a", kind: "allow_always", name: long },
  { optionId: "b", kind: "reject_once", name: `${long}!` },
];

/** The dialog about a tool call on a screen of this size. */
async function open(question: ReturnType<typeof askedQuestion>, width: number, height: number) {
  const dialog = permissionDialog(question, "/project", false, () => {});
  const screen = await openTypedScreen({ draw: () => dialog.draw(width, height) }, width + 1, height + 1);
  return {
    screen,
    /** Everything that PgDn shows. */
    async pages(): Promise<string> {
      let all = screen.frame;
      for (let page = 0; page < 200 && !/ 0 below/u.test(screen.frame) && screen.frame.includes("↕"); page += 1) {
        dialog.press({ name: "pagedown", text: "", ctrl: false, alt: false, shift: false });
        await screen.draw();
        all += `\n${screen.frame}`;
      }
      return all;
    },
  };
}

describe.each([40, 80, 200])("on %i columns", (width) => {
  test("the kind of an option is never cut, and its name is whole in the question", async () => {
    const { screen, pages } = await open(askedQuestion({ title: "x" }, { options }), width, 12);
    await using _ = screen;
    expect(screen.frame).toMatch(/^ {2}1 Always allow {2}Reject/mu);
    expect(screen.frame).toMatch(/^ {2}2 Reject once {2}Reject/mu);
    const all = await pages();
    const rows = all.split("\n");
    if (width === 200) expect(all).not.toContain("…");
    else expect(rows.filter((row) => row.endsWith("…"))).not.toEqual([]);
    expect(all.replaceAll(/\n {2}┆ /gu, "")).toContain(long);
  });

  test("nothing that is judged is cut: each character is on some page", async () => {
    const command = `echo ${Array.from({ length: 900 }, (_, at) => `word${at}`).join(" ")}\nrm -rf ~`;
    const { screen, pages } = await open(askedQuestion({ title: "List", rawInput: { command } }), width, 20);
    await using _ = screen;
    expect(screen.frame).toMatch(/↕ 0 lines above, \d+ below: PgUp, PgDn/u);
    const seen = await pages();
    for (let at = 0; at < 900; at += 1) expect(seen.replaceAll(/\n {2}┆ /gu, "")).toContain(`word${at}`);
    expect(seen).toContain("\n  │ rm -rf ~");
    expect(seen).toContain("the agent says: List");
  });
});

test("more answers than the screen has rows scroll, and say so", async () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ optionId: String(at), kind: "allow_once", name: `Way ${at}` }));
  const { screen } = await open(askedQuestion({ title: "x" }, { options: many }), 80, 20);
  await using _ = screen;
  expect(screen.frame.split("\n").length).toBeLessThanOrEqual(20);
  expect(screen.frame).toMatch(/↕ 0 answers above, \d+ below: ↑↓/u);
});

test("the rows of a line do not pass for lines of ours", () => {
  const command = `true${" ".repeat(40)}1 Allow once`;
  const question = askedQuestion({ title: "x", rawInput: { command } });
  const rows = permissionDialog(question, "/project", false, () => {})
    .draw(40, 20)
    .lines.map(textOf);
  expect(rows[1]).toMatch(/^ {2}\$ true {30,}$/u);
  expect(rows[2]).toMatch(/^ {2}┆ +1 Allow once$/u);
});
