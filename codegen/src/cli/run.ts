import { parseArgs } from "node:util";
import { generateOptions, inferOptions, type Output, UsageError } from "./command-line.ts";
import { help } from "./help.ts";
import { importCommand } from "./import-command.ts";

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
      const schema = one(positionals, "generate", "a schema file");
      // The type generator takes most of a second to load: only for those who need it.
      const { generateCommand } = await import("./generate-command.ts");
      return await generateCommand(values, schema, output);
    }
    case "import": {
      const { positionals } = parseArgs({ args: rest, options: {}, allowPositionals: true });
      const [upstream, ours, ...more] = positionals;
      if (upstream === undefined || ours === undefined || more.length > 0) {
        throw new UsageError("`import` takes the upstream file and our file: see acp-codegen --help");
      }
      return await importCommand(upstream, ours, output);
    }
    case "infer": {
      const { values, positionals } = parseArgs({ args: rest, options: inferOptions, allowPositionals: true });
      const { inferCommand } = await import("./infer-command.ts");
      return await inferCommand(values, positionals, output);
    }
    default:
      throw new UsageError(
        `there is no command \`${command}\`: expected generate, import or infer, see acp-codegen --help`,
      );
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
