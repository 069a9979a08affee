import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { createProjectFiles } from "../text/project-files.ts";

/** How many files are offered. */
const most = 20;
/** How long a list of the files counts, in milliseconds. */
const freshTime = 5000;

/** Answers which files of a directory fit a query best, for whoever may see the names of all of them. */
export function createFileFinder(cwd: string): (query: string) => Promise<Response> {
  const files = createProjectFiles(cwd);
  let waiting: (() => void)[] = [];
  let listed = -Infinity;
  files.onChange(() => {
    const ready = waiting;
    waiting = [];
    for (const resume of ready) resume();
  });
  return async (query) => {
    if (performance.now() - listed > freshTime) {
      listed = performance.now();
      files.refresh();
    }
    let found = files.find(query, most);
    if (found === undefined) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      found = files.find(query, most) ?? [];
    }
    return Response.json({ files: found.map((path) => ({ path, uri: pathToFileURL(join(cwd, path)).href })) });
  };
}
