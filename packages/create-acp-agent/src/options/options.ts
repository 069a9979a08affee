import { parseArgs } from "node:util";

export const templates = ["model", "echo", "client", "page"] as const;
export const languages = ["ts", "js"] as const;
export const runtimes = ["node", "deno", "bun"] as const;
export const packageManagers = ["npm", "pnpm", "yarn", "bun", "deno"] as const;

export type Template = (typeof templates)[number];
export type Language = (typeof languages)[number];
export type Runtime = (typeof runtimes)[number];
export type PackageManager = (typeof packageManagers)[number];

/** What the command line says. What it does not say is asked, or has a default. */
export interface Options {
  readonly name?: string | undefined;
  readonly template?: Template | undefined;
  readonly language?: Language | undefined;
  readonly runtime?: Runtime | undefined;
  readonly packageManager?: PackageManager | undefined;
  readonly install?: boolean | undefined;
  readonly git: boolean;
  /** Nothing is asked. */
  readonly yes: boolean;
  readonly dryRun: boolean;
  /** A folder of tarballs of the toolkit, to install these instead of what is published. */
  readonly packages?: string | undefined;
  readonly help: boolean;
  readonly version: boolean;
}

/** The command line is wrong; the message says how. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const help = `Usage: create-acp-agent [options] [folder]

Makes an agent of the Agent Client Protocol, with tests, checks, and the settings
of editors. On a terminal it asks for what the options do not say.

Options:
      --template <name>   model:  an agent around a model (default)
                          echo:   an agent without one
                          client: a client for the terminal
                          page:   a page, with React
      --client            The same as --template client
      --web               The same as --template page
      --lang <name>       ts (default) or js
      --runtime <name>    node, deno or bun. Default: the one that runs this
      --pm <name>         npm, pnpm, yarn, bun, or deno for Deno.
                          Default: the one that runs this
      --install           Install the dependencies
      --git               Make a Git repository, with a first commit
  -y, --yes               Ask nothing, and take the defaults
      --no-interactive    The same
      --dry-run           Say what would be made, and make nothing
      --packages <folder> Install the toolkit from the tarballs in this folder
  -h, --help              Show this help
  -V, --version           Show the version

Exit codes:
    0  done
    1  a file cannot be written, or a command has failed
    2  wrong options, or the folder is not empty
  130  cancelled; nothing was made
`;

/** Reads the command line, without the program's own name. @throws {UsageError} */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  if (positionals.length > 1) {
    throw new UsageError(
      `There is one folder too many: ${positionals.slice(1).join(", ")}. Put a name with spaces in quotes.`,
    );
  }
  const given: readonly Template[] = [
    oneOf("--template", values.template, templates),
    values.client === true ? ("client" as const) : undefined,
    values.web === true ? ("page" as const) : undefined,
  ].filter((template) => template !== undefined);
  if (new Set(given).size > 1) throw new UsageError(`Choose one template: ${given.join(" or ")}.`);
  return {
    name: positionals[0],
    template: given[0],
    language: oneOf("--lang", values.lang, languages),
    runtime: oneOf("--runtime", values.runtime, runtimes),
    packageManager: oneOf("--pm", values.pm, packageManagers),
    install: values.install,
    git: values.git ?? false,
    yes: values.yes === true || values.interactive === false,
    dryRun: values["dry-run"] ?? false,
    packages: values.packages,
    help: values.help ?? false,
    version: values.version ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      // Some package managers pass on the `--` that is meant for them.
      args: args.filter((arg) => arg !== "--"),
      allowPositionals: true,
      allowNegative: true,
      options: {
        template: { type: "string" },
        client: { type: "boolean" },
        web: { type: "boolean" },
        lang: { type: "string" },
        runtime: { type: "string" },
        pm: { type: "string" },
        install: { type: "boolean" },
        git: { type: "boolean" },
        yes: { type: "boolean", short: "y" },
        interactive: { type: "boolean" },
        "dry-run": { type: "boolean" },
        packages: { type: "string" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "V" },
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${reason.split(". To specify")[0]}. Run it with --help to see the options.`);
  }
}

function oneOf<T extends string>(option: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  const found = allowed.find((each) => each === value);
  if (value !== undefined && found === undefined) {
    throw new UsageError(`${option} is ${JSON.stringify(value)}, and has to be ${allowed.join(", ")}.`);
  }
  return found;
}
