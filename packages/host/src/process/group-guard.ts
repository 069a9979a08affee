/**
 * A small shell program that outlives this process just long enough to end the process groups that it has left behind,
 * however it ended: even SIGKILL closes the pipe that the program reads. So this process needs no signal listeners, and
 * every signal keeps its default effect.
 *
 * It reads `+ <group>:<marker>` and `- <group>:<marker>` lines. At the end of its input it sends SIGTERM to the remaining
 * groups and, on Linux, to the processes with their markers, and SIGKILL a second later.
 */
export const groupGuard: GroupGuardProgram = {
  command: "/bin/sh",
  args: [
    "-c",
    /* @__PURE__ */ [
      "trap '' HUP INT TERM",
      "groups=' '",
      "while read -r sign group; do",
      "  case $sign in",
      '    +) groups="$groups$group " ;;',
      '    -) groups="${groups%% $group *} ${groups#* $group }" ;;',
      "  esac",
      "done",
      '[ -n "${groups# }" ] || exit 0',
      "end() {",
      "  signal=$1",
      "  set --",
      "  for group in $groups; do",
      '    kill "-$signal" "-${group%%:*}"',
      // An empty search term would match every process.
      '    [ -z "${group#*:}" ] || set -- "$@" -e "${group#*:}"',
      "  done",
      "  [ $# -gt 0 ] || return 0",
      '  for file in $(grep -lF "$@" /proc/[0-9]*/environ); do',
      "    pid=${file#/proc/}",
      '    kill "-$signal" "${pid%/environ}"',
      "  done",
      "}",
      "end TERM 2>/dev/null",
      "sleep 1",
      "end KILL 2>/dev/null",
    ].join("\n"),
    "acp-process-guard",
  ],
  watch: (group, marker = "") => `+ ${group}:${marker}\n`,
  forget: (group, marker = "") => `- ${group}:${marker}\n`,
};

/** How to start the program, and what to write to it. POSIX only. */
export interface GroupGuardProgram {
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** The line that starts watching a group. */
  watch(group: number, marker?: string): string;
  /** The line that stops watching a group. */
  forget(group: number, marker?: string): string;
}
