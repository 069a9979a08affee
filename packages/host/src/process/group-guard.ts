/**
 * A small shell program that outlives this process just long enough to end the process groups that it has left behind,
 * however it ended: even SIGKILL closes the pipe that the program reads. So this process needs no signal listeners, and
 * every signal keeps its default effect.
 *
 * It reads `+ <group>` and `- <group>` lines. At the end of its input it sends SIGTERM to the remaining groups, and
 * SIGKILL a second later.
 */
export const groupGuard: GroupGuardProgram = {
  command: "/bin/sh",
  args: [
    "-c",
    [
      "trap '' HUP INT TERM",
      "groups=' '",
      "while read -r sign group; do",
      "  case $sign in",
      '    +) groups="$groups$group " ;;',
      '    -) groups="${groups%% $group *} ${groups#* $group }" ;;',
      "  esac",
      "done",
      '[ -n "${groups# }" ] || exit 0',
      'for group in $groups; do kill -TERM "-$group" 2>/dev/null; done',
      "sleep 1",
      'for group in $groups; do kill -KILL "-$group" 2>/dev/null; done',
    ].join("\n"),
    "acp-process-guard",
  ],
  watch: (group) => `+ ${group}\n`,
  forget: (group) => `- ${group}\n`,
};

/** How to start the program, and what to write to it. POSIX only. */
export interface GroupGuardProgram {
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** The line that starts watching a group. */
  watch(group: number): string;
  /** The line that stops watching a group. */
  forget(group: number): string;
}
