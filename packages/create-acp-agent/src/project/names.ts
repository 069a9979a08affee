import { builtinModules } from "node:module";
import { basename, resolve } from "node:path";

/** Where a project goes, and what it is called. */
export interface ProjectNames {
  /** The folder, absolute. */
  readonly folder: string;
  /** The name of the package, such as `@me/my-agent`. */
  readonly packageName: string;
  /** The name of its command, of its settings and in the registry, such as `my-agent`. */
  readonly id: string;
  /** For people, such as `My agent`. */
  readonly title: string;
}

/** A name that no folder can have; the message says why. */
export class NameError extends Error {
  override readonly name = "NameError";
}

/**
 * Reads what the user calls the project: a name, a scope and a name, or a path.
 *
 * @param taken Names that the project cannot have because it depends on them.
 * @throws {NameError} if there can be no such folder, here or on Windows.
 */
export function projectNames(name: string, cwd: string, taken: readonly string[]): ProjectNames {
  const scoped = /^(@[a-z0-9][\w.-]*)\/([^/\\]+)$/iu.exec(name.trim());
  const [, scope, last] = scoped ?? [];
  const folder = resolve(cwd, last ?? name.trim());
  const base = basename(folder);
  const problem = folderProblem(base);
  if (problem !== undefined) throw new NameError(`${JSON.stringify(name)} cannot be the name: ${problem}.`);
  const id = idOf(base, taken);
  const packageName = scope === undefined ? id : `${scope.toLowerCase()}/${id}`;
  const words = id.replaceAll("-", " ");
  return { folder, packageName, id, title: `${words.charAt(0).toUpperCase()}${words.slice(1)}` };
}

/** Why a folder cannot have this name, on any system: who clones the project may have another one. */
function folderProblem(name: string): string | undefined {
  if (name === "") return "it names the root of the disk";
  // oxlint-disable-next-line no-control-regex -- These are what Windows refuses, and terminals act on.
  const letter = /[<>:"|?*\\\u0000-\u001F\u007F]/u.exec(name)?.[0];
  if (letter !== undefined) return `a folder cannot have ${JSON.stringify(letter)} in its name on Windows`;
  if (/[. ]$/u.test(name)) return "a folder cannot end with a dot or a space on Windows";
  if (/^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\..*)?$/iu.test(name)) return `Windows has a device of that name`;
  if (Buffer.byteLength(name) > 200) return "it is too long";
  return undefined;
}

/** A name that npm, a command and the registry take: small letters, digits and hyphens. */
function idOf(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "");
  if (plain === "") return "my-agent";
  const id = /^\d/u.test(plain) ? `agent-${plain}` : plain;
  const isTaken = [...taken, ...builtinModules, "node-modules", "favicon-ico"].includes(id);
  return isTaken ? `${id}-agent` : id;
}
