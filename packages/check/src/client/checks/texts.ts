import { hostile } from "../client-check.ts";
import type { ClientCheck } from "../client-context.ts";
import { chunkOf, goesOnAfter, sendUpdate } from "../turns.ts";

/** Texts that are hard to show. */
export const texts: readonly ClientCheck[] = [
  odd(
    "line-separators-in-text",
    "texts with the line separators of Unicode",
    ["line4701\u2028 ", "line4702\u2029 ", "line4703\u0085 ", "line4704\r\n ", "line4705\u000B\u000C "],
    "https://github.com/earendil-works/pi/issues/1908",
    "Split the agent's stdout at line feeds only: line readers of some libraries split at U+2028 as well.",
  ),
  odd(
    "escape-sequences-in-text",
    "texts with escape sequences, control characters and letters that change the direction",
    [
      "\u001B[2J\u001B[1;1H esc4701 ",
      "\u001B]0;title\u0007 esc4702 ",
      "\u202Egnihtyna\u202C esc4703 ",
      "\u0000\u0008\u007F\u009B31m esc4704 ",
    ],
    "https://github.com/Growth-Circle/cadis/issues/1723",
    "Take out control characters where you write to a terminal, and nothing around them.",
  ),
  odd(
    "lone-surrogates-in-text",
    "texts with halves of characters, and with the null character",
    ["half4701 \uD800 ", "half4702 \uDC00x ", "half4703 \u0000 \uFFFF "],
    undefined,
    "Take half a character for U+FFFD; do not end because of it.",
  ),
  odd(
    "empty-texts",
    "empty texts and texts of spaces",
    ["full4701 ", "", "   ", "\n\n", "full4702 "],
    undefined,
    "An empty chunk is a chunk.",
  ),
  odd(
    "markup-in-text",
    "texts with markup, percent signs and placeholders",
    ["mark4701 %s %d {} ", "mark4702 [bold]x[/bold] <b>y</b> ", "mark4703 ${HOME} $(id) `x` ", "```\nmark4704\n"],
    undefined,
    "Take what the agent says as text: not as a format, a template or markup of your screen.",
  ),
];

function odd(id: string, what: string, said: readonly string[], seen: string | undefined, mend: string): ClientCheck {
  return hostile({
    id,
    title: `A client shows ${what}, and goes on`,
    rules: ["UPD-03"],
    seen,
    mend,
    run: (context) =>
      goesOnAfter(
        context,
        async (peer, sessionId) => {
          for (const text of said) sendUpdate(peer, sessionId, chunkOf(context, text));
        },
        ...said.flatMap((text) => /[a-z]+47\d\d/u.exec(text)?.[0] ?? []),
      ),
  });
}
