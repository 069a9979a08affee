import { FuzzySearch } from "./fuzzy.ts";
import { listFiles } from "./list-files.ts";

/** The files of the project, to complete their names. They are listed when they are first needed, in the background. */
export interface ProjectFiles {
  /** Lists them, or lists them anew. */
  refresh(): void;
  /** The files and folders that fit a query best; `undefined` while they are not known yet. */
  find(query: string, limit: number): readonly string[] | undefined;
  /** Calls `listener` when the list has changed. */
  subscribe(listener: () => void): () => void;
}

/** Names with these could not be typed, and must not reach the terminal. */
const controls = /\p{Cc}/u;

export function createProjectFiles(cwd: string, list: (cwd: string) => Promise<string[]> = listFiles): ProjectFiles {
  const listeners = new Set<() => void>();
  let search: FuzzySearch | undefined;
  let isListing = false;
  const refresh = async (): Promise<void> => {
    if (isListing) return;
    isListing = true;
    try {
      search = new FuzzySearch(withFolders((await list(cwd)).filter((file) => !controls.test(file))));
    } catch {
      search ??= new FuzzySearch([]);
    } finally {
      isListing = false;
    }
    for (const listener of listeners) listener();
  };
  return {
    refresh: () => void refresh(),
    find: (query, limit) => search?.find(query, limit),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Adds the folders of the files, with a slash at the end. */
function withFolders(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...files, ...folders];
}
