import { parseArgs } from "node:util";
import { generateCommand, generateOptions } from "./generate-command.ts";
import { help } from "./help.ts";
import { importCommand } from "./import-command.ts";

/** Where a command writes what it has to say. */
export interface Output {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** A command line that makes no sense; the message says what would. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Runs `acp-codegen` with these arguments.
 *
 * @returns The exit code: 0, or 1 after one message on `error`. Never rejects.
 */
export async function run(args: readonly string[], output: Output): Promise<number> {
  try {
    return await dispatch(args, output);
  } catch (cause) {
    output.error(`acp-codegen: ${cause instanceof Error ? cause.message : String(cause)}\n`);
    return 1;
  }
}

async function dispatch([command, ...rest]: readonly string[], output: Output): Promise<number> {
  if (command === undefined || command === "--help" || command === "-h" || command === "help" || asksForHelp(rest)) {
    output.out(help);
    return command === undefined ? 1 : 0;
  }
  switch (command) {
    case "generate": {
      const { values, positionals } = parseArgs({ args: rest, options: generateOptions, allowPositionals: true });
      return await generateCommand(values, one(positionals, "generate", "a schema file"), output);
    }
    case "import": {
      const { positionals } = parseArgs({ args: rest, options: {}, allowPositionals: true });
      const [upstream, ours, ...more] = positionals;
      if (upstream === undefined || ours === undefined || more.length > 0) {
        throw new UsageError("`import` takes the upstream file and our file: see acp-codegen --help");
      }
      return await importCommand(upstream, ours, output);
    }
    default:
      throw new UsageError(`there is no command \`${command}\`: expected generate or import, see acp-codegen --help`);
  }
}

function asksForHelp(args: readonly string[]): boolean {
  return args.includes("--help") || args.includes("-h");
}

function one([first, ...more]: readonly string[], command: string, what: string): string {
  if (first === undefined || more.length > 0) {
    throw new UsageError(`\`${command}\` takes ${what}: see acp-codegen --help`);
  }
  return first;
}
