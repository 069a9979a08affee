import picomatch from "picomatch";

/**
 * A regular expression for paths that match a glob, with `/` between names. A glob without `/` is about the name of a file,
 * wherever it is, as in `.gitignore`.
 *
 * @throws {Error} it is too long.
 */
export function globToRegExp(glob: string): RegExp {
  const anywhere = glob.includes("/") ? glob.replace(/^\.?\//u, "") : `**/${glob}`;
  return picomatch.makeRe(anywhere, { dot: true });
}
