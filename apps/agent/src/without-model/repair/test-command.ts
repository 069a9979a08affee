import type { CommandLine } from "../../workspace/command-line.ts";
import { parseCommandLine } from "../../workspace/command-line.ts";

/** Returns the command for the tests of a project. Returns `undefined` if its `package.json` has no test script. */
export function findTestCommand(packageJson: string): CommandLine | undefined {
  const script = testScript(packageJson);
  if (script === undefined) return undefined;
  // Running Node.js directly is quicker than npm. Other programs need the PATH that npm sets.
  const command = parseCommandLine(script);
  return command.command === "node" ? command : parseCommandLine("npm --silent test");
}

function testScript(packageJson: string): string | undefined {
  let manifest: unknown;
  try {
    manifest = JSON.parse(packageJson);
  } catch {
    return undefined;
  }
  if (typeof manifest !== "object" || manifest === null || !("scripts" in manifest)) return undefined;
  const { scripts } = manifest;
  if (typeof scripts !== "object" || scripts === null || !("test" in scripts)) return undefined;
  return typeof scripts.test === "string" ? scripts.test : undefined;
}
