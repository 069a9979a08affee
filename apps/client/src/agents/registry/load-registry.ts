import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { replaceFileSync } from "@acp/sessions/internal";

import type { Environment } from "../../cli/streams.ts";
import { foldersOf } from "../folders.ts";
import { fetchFile, isUrl } from "./fetch-file.ts";
import { parseRegistry, publicRegistry, type RegistryAgent } from "./registry.ts";

/** A registry cannot be read; the message says why. */
export class RegistryError extends Error {}

export interface Registry {
  /** Its URL or file. */
  readonly location: string;
  readonly agents: readonly RegistryAgent[];
  /** Why the server did not give a newer one: what there is is an older copy. */
  readonly problem?: string;
}

/** How long a copy is used without asking the server, in milliseconds. */
const freshFor = 24 * 60 * 60 * 1_000;
/** How long to wait for the server: with a copy at hand, and without one, in milliseconds. */
const patience = { withCopy: 2_000, without: 8_000 };
const sizeLimit = 16 * 2 ** 20;

export interface LoadOptions {
  /** Use only a copy that is here already. Default: no. */
  readonly offline?: boolean;
  /** Ends the wait for a server. */
  readonly signal?: AbortSignal;
}

/**
 * Reads a registry: a file, or a URL, of which a copy is kept. Without the server, the copy is used, however old it is.
 *
 * @param location Its file or URL; `undefined` for the public one, `false` for none.
 * @returns `undefined` for none, and for one without a copy if it must not be fetched.
 * @throws {RegistryError}
 */
export async function loadRegistry(
  location: string | false | undefined,
  env: Environment,
  { offline = false, signal }: LoadOptions = {},
): Promise<Registry | undefined> {
  if (location === false) return undefined;
  const place = location ?? publicRegistry;
  if (!isUrl(place)) return readFromFile(resolve(place));
  if (place.startsWith("file:")) return readFromFile(fileURLToPath(place));
  const path = copyPath(place, env);
  const copy = readCopy(path);
  if (offline) return copy && { location: place, agents: copy.agents };
  if (copy !== undefined && Math.abs(Date.now() - copy.checkedAt) < freshFor)
    return { location: place, agents: copy.agents };
  try {
    return { location: place, agents: await refresh(place, path, copy, signal) };
  } catch (error) {
    const problem = reasonOf(error);
    if (copy === undefined) throw new RegistryError(problem, { cause: error });
    return { location: place, agents: copy.agents, problem };
  }
}

async function readFromFile(path: string): Promise<Registry> {
  try {
    return { location: path, agents: parseRegistry(await readFile(path, "utf8")) };
  } catch (error) {
    throw new RegistryError(`${path}: ${reasonOf(error)}`, { cause: error });
  }
}

interface Copy {
  readonly text: string;
  readonly agents: readonly RegistryAgent[];
  readonly etag: string | undefined;
  /** When the server has confirmed it, as `Date.now()`. */
  readonly checkedAt: number;
}

async function refresh(
  url: string,
  path: string,
  copy: Copy | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly RegistryAgent[]> {
  const { status, headers, bytes } = await fetchFile(url, {
    headers: copy?.etag === undefined ? {} : { "if-none-match": copy.etag },
    timeout: copy === undefined ? patience.without : patience.withCopy,
    limit: sizeLimit,
    signal,
  });
  const isSame = status === 304 && copy !== undefined;
  const text = isSame ? copy.text : new TextDecoder().decode(bytes);
  const agents = isSame ? copy.agents : parseRegistry(text);
  const etag = headers.get("etag") ?? (isSame ? copy.etag : undefined);
  writeCopy(path, { text, etag, checkedAt: Date.now() });
  return agents;
}

function copyPath(url: string, env: Environment): string {
  const name = createHash("sha256").update(url).digest("hex").slice(0, 16);
  return join(foldersOf(env).cache, "registries", `${name}.json`);
}

/** A broken copy is none. */
function readCopy(path: string): Copy | undefined {
  try {
    const { text, etag, checkedAt } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    if (typeof text !== "string" || typeof checkedAt !== "number") return undefined;
    return { text, checkedAt, agents: parseRegistry(text), etag: typeof etag === "string" ? etag : undefined };
  } catch {
    return undefined;
  }
}

/** Without a place for it, the registry is fetched each time. */
function writeCopy(path: string, copy: Omit<Copy, "agents">): void {
  try {
    mkdirSync(join(path, ".."), { recursive: true });
    replaceFileSync(path, JSON.stringify(copy));
  } catch {
    // See above.
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // `fetch` says why in the cause.
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
