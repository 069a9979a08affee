import * as module from "node:module";
import { join } from "node:path";

/**
 * Keeps the compiled code of this program in `folder`, on runtimes that can: it starts in two thirds of the time then. The folder
 * has to be the user's own: who writes there can run code.
 */
export function keepCompiledCode(folder: string): void {
  const { enableCompileCache }: Partial<typeof module> = module;
  enableCompileCache?.(join(folder, "compiled"));
}
