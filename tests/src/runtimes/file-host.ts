import { expectEqual, rejectionOf } from "./check.ts";
import { testSession } from "./host-session.ts";
import type { ScenarioContext } from "./scenario.ts";

type Handlers = ReturnType<ScenarioContext["runtime"]["fileSystem"]>;

/** The file methods of a client. */
interface FileHost {
  read(path: string, range?: { line?: number | null; limit?: number | null }): Promise<string>;
  write(path: string, content: string): Promise<object>;
}

/** The file methods of a client, as an agent calls them in a session. */
export function fileHost(
  { runtime, directory }: ScenarioContext,
  options?: Parameters<typeof runtime.fileSystem>[0],
): FileHost {
  const handlers: Handlers = runtime.fileSystem(options);
  const context = testSession(directory);
  return {
    read: async (path, range = {}) => {
      return (await handlers["fs/read_text_file"]({ path, ...range }, context)).content;
    },
    write: (path, content) => handlers["fs/write_text_file"]({ path, content }, context),
  };
}

/** Expects an error answer with this code and these data. */
export async function expectWire(promise: Promise<unknown>, code: number, data: unknown): Promise<void> {
  const error = await rejectionOf(promise);
  expectEqual(error["wire"], { ...(error["wire"] as object), code, data }, "error answer");
}
