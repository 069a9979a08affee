import type { PlayedTurn } from "../../support/models/conversation.ts";

type PlayedCommand = PlayedTurn & Required<Pick<PlayedTurn, "command" | "ends">>;

/** A command that is longer than a line of the terminal, with much that a client could change when it shows it. */
export const writeFile: PlayedCommand = {
  prompt: "Please write the file now",
  begins: "I write the file first.",
  command:
    `printf '%s\\n' "first line" "second line" > made.txt && cat made.txt && echo "sum $((20 + 22))" && ` +
    `printf '\\033[31mred\\033[0m\\n' && echo "this end belongs to the command, too: $((6 * 7))"`,
  ends: "The file is there.",
};

/** What {@link writeFile} prints, as a terminal shows it. */
export const written: readonly string[] = [
  "first line",
  "second line",
  "sum 42",
  "red",
  "this end belongs to the command, too: 42",
];

/** Several lines, and an exit code. */
export const failLater: PlayedCommand = {
  prompt: "Please fail now",
  begins: "I try it.",
  command: 'echo "before $((20 + 22))"\ntouch tried.txt # and more\nexit 3',
  ends: "It failed.",
};

/** What nothing else on this machine sleeps. */
export const slowCommand = "sleep 43217";

export const runSlowly: PlayedCommand = {
  prompt: "Please run something slow now",
  begins: "I run it.",
  command: `touch begun.txt; ${slowCommand}; echo never`,
  ends: "It slept.",
};

export const think: PlayedTurn = {
  prompt: "Please think for ever now",
  begins: "I am thinking about it",
  hangs: true,
};

export const playedTurns: readonly PlayedTurn[] = [writeFile, failLater, runSlowly, think];
