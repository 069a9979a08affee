/** Where a program finds what it needs while it is under test. */
export interface ProgramPlace {
  /** Its home directory: empty but for {@link ForeignProgram.files}. */
  readonly home: string;
  /** The directory that it works in. */
  readonly project: string;
  /** The folder that it was installed in: `node_modules`, or that of its executables. */
  readonly modules: string;
  /** The model, without a path. */
  readonly modelUrl: string;
}

/** Where a program comes from; `workspace` is this repository. */
export type Registry = "npm" | "pypi" | "go" | "crates" | "workspace";

/** A program that somebody else publishes, or one of ours that is treated alike. */
export interface ForeignProgram {
  readonly name: string;
  /** Default: `npm`. */
  readonly registry?: Registry;
  /** The packages to install, each in one version. */
  readonly packages: Readonly<Record<string, string>>;
  /** What the installer is told besides. */
  readonly installOptions?: readonly string[];
  /** Files of ours that are put beside, so that they find what was installed. */
  readonly scripts?: readonly string[];
  /** The program, below the folder that it was installed in. Node.js runs those that end in `.js` and `.mjs`. */
  readonly program: string;
  /** Its arguments. */
  args?(place: ProgramPlace): readonly string[];
  /** The versions of ACP that it speaks. */
  readonly versions: readonly (1 | 2)[];
  /** Its settings, by their paths below its home. */
  files?(place: ProgramPlace): Readonly<Record<string, string>>;
  /** Its environment, beside `HOME` and `PATH`. */
  env?(place: ProgramPlace): Readonly<Record<string, string>>;
}
