import type { Language, PackageManager, Runtime, Template } from "../options/options.ts";
import type { ProjectNames } from "./names.ts";

/** All that decides what the files of a project say. */
export interface Plan extends ProjectNames {
  readonly template: Template;
  readonly language: Language;
  readonly runtime: Runtime;
  readonly packageManager: PackageManager;
  /** The version of the toolkit. */
  readonly version: string;
  /** The program of the runtime, absolute where it was found: editors may start with another PATH. */
  readonly executable: string;
  /** The tarballs of the toolkit, by package, if these are installed. */
  readonly tarballs?: ReadonlyMap<string, string> | undefined;
}

/** Files by their paths in the project, with slashes. */
export type Files = ReadonlyMap<string, string>;
