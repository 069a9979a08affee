import process from "node:process";

/**
 * What `spawn` takes to run a program by its name. On Windows the programs that npm installs are batch files: only a shell
 * runs those, and Node quotes nothing for a shell.
 */
export function byName(command, args, options = {}) {
  if (process.platform !== "win32") return [command, args, options];
  return [[command, ...args].map(quote).join(" "), [], { ...options, shell: true }];
}

function quote(word) {
  return /^[\w./\\:@=+-]+$/u.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
}
