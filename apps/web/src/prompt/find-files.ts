import { readToken } from "../address.ts";
import type { ProjectFile } from "./completion.ts";

/** The files of the project that fit a query best, as the server knows them; none if it does not tell. */
export async function findFiles(query: string, signal: AbortSignal): Promise<readonly ProjectFile[]> {
  try {
    const response = await fetch(`acp/files?query=${encodeURIComponent(query.slice(0, 200))}`, {
      headers: { Authorization: `Bearer ${readToken()}` },
      signal,
    });
    return response.ok ? readFiles(await response.json()) : [];
  } catch {
    return [];
  }
}

function readFiles(answer: unknown): readonly ProjectFile[] {
  const files: unknown = typeof answer === "object" && answer !== null && "files" in answer ? answer.files : undefined;
  return Array.isArray(files) ? files.filter(isFile) : [];
}

function isFile(value: unknown): value is ProjectFile {
  if (typeof value !== "object" || value === null || !("path" in value) || !("uri" in value)) return false;
  return typeof value.path === "string" && typeof value.uri === "string";
}
