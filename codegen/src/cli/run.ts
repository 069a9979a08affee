import { parseArgs } from "node:util";
import {
  diffOptions,
  generateOptions,
  importOptions,
  inferOptions,
  initOptions,
  type Output,
  statusOptions,
  UsageError,
} from "./command-line.ts";
import { help } from "./help.ts";
import { reasonOf } from "../reason-of.ts";

/**
 * Runs `acp-codegen` with these arguments.
 *
 * @returns The exit code: 0, or 1 after one message on `error`. Never rejects.
 */
export async function run(args: readonly string[], output: Output): Promise<number> {
  try {
    return await dispatch(args, output);
  } catch (cause) {
    output.error(`acp-codegen: ${reasonOf(cause)}\n`);
    return 1;
  }
}

// The type generator takes most of a second to load: each command is loaded by those who need it.
async function dispatch([command, ...rest]: readonly string[], output: Output): Promise<number> {
  if (command === undefined || command === "--help" || command === "-h" || command === "help" || asksForHelp(rest)) {
    output.out(help);
    return command === undefined ? 1 : 0;
  }
  switch (command) {
    case "init": {
      const { values, positionals } = parseArgs({ args: rest, options: initOptions, allowPositionals: true });
      if (positionals.length > 0) throw new UsageError("`init` takes no files: see acp-codegen --help");
      const { initCommand } = await import("./init-command.ts");
      return await initCommand(values, output);
    }
    case "generate": {
      const { values, positionals } = parseArgs({ args: rest, options: generateOptions, allowPositionals: true });
      const schema = atMostOne(positionals, "generate", "a schema file");
      const { generateCommand } = await import("./generate-command.ts");
      return await generateCommand(values, schema, output);
    }
    case "import": {
      const { values, positionals } = parseArgs({ args: rest, options: importOptions, allowPositionals: true });
      const { importCommand } = await import("./import-command.ts");
      return await importCommand(values, positionals, output);
    }
    case "status": {
      const { values, positionals } = parseArgs({ args: rest, options: statusOptions, allowPositionals: true });
      const schema = atMostOne(positionals, "status", "a schema file");
      const { statusCommand } = await import("./status-command.ts");
      return await statusCommand(values, schema, output);
    }
    case "diff": {
      const { values, positionals } = parseArgs({ args: rest, options: diffOptions, allowPositionals: true });
      const [before, after, ...more] = positionals;
      if (before === undefined || after === undefined || more.length > 0) {
        throw new UsageError("`diff` takes the old schema file and the new one: see acp-codegen --help");
      }
      const { diffCommand } = await import("./diff-command.ts");
      return await diffCommand(values, before, after, output);
    }
    case "infer": {
      const { values, positionals } = parseArgs({ args: rest, options: inferOptions, allowPositionals: true });
      const { inferCommand } = await import("./infer-command.ts");
      return await inferCommand(values, positionals, output);
    }
    default:
      throw new UsageError(
        `there is no command \`${command}\`: expected init, generate, import, status, diff or infer, see acp-codegen --help`,
      );
  }
}

function asksForHelp(args: readonly string[]): boolean {
  return args.includes("--help") || args.includes("-h");
}

function atMostOne([first, ...more]: readonly string[], command: string, what: string): string | undefined {
  if (more.length > 0) throw new UsageError(`\`${command}\` takes ${what}: see acp-codegen --help`);
  return first;
}
