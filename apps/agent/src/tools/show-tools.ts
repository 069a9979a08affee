import type { ShowTools } from "@acp/ai";

import { createEditDisplay } from "./changes/edit-tool.ts";
import { createWriteDisplay } from "./changes/write-tool.ts";
import { createListDisplay } from "./files/list-tool.ts";
import { createReadDisplay } from "./files/read-tool.ts";
import { createSearchDisplay } from "./files/search-tool.ts";
import { createRunDisplay } from "./run/run-tool.ts";
import { createFetchDisplay } from "./web/fetch-tool.ts";

/** How the calls of the tools look, in a turn or when an earlier session is shown again. Paths are shown relative to `cwd`. */
export function showTools(cwd: string): ShowTools {
  return {
    read: createReadDisplay(cwd),
    list: createListDisplay(cwd),
    search: createSearchDisplay(cwd),
    edit: createEditDisplay(cwd),
    write: createWriteDisplay(cwd),
    run: createRunDisplay(cwd),
    fetch: createFetchDisplay(cwd),
  };
}
