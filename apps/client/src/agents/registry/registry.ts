import { membersOf } from "../../text/json-text.ts";

export const publicRegistry = "https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json";

/** An agent of a registry, in the format of the public one. */
export interface RegistryAgent {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly distribution: Distribution;
}

/** How an agent is distributed: in one or more ways. */
export interface Distribution {
  readonly npx?: PackagedAgent | undefined;
  readonly uvx?: PackagedAgent | undefined;
  /** By platform, such as `linux-x86_64`. */
  readonly binary?: Readonly<Record<string, AgentArchive>> | undefined;
}

/** A package of npm or PyPI, with its version. */
export interface PackagedAgent {
  readonly package: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface AgentArchive {
  /** The URL of an archive, or of the program itself. */
  readonly archive: string;
  /** The program in the archive. */
  readonly cmd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Reads the text of a registry. Skips entries that it does not understand: the format is still growing.
 *
 * @throws if the text is no registry.
 */
export function parseRegistry(text: string): readonly RegistryAgent[] {
  const { agents } = membersOf(JSON.parse(text));
  if (!Array.isArray(agents)) throw new Error("It is no registry: it has no list of agents");
  return agents.flatMap((agent) => toAgent(agent) ?? []);
}

/** The platform of this process, as the registry names it; `undefined` if it has no name there. */
export function platformName(platform: string = process.platform, arch: string = process.arch): string | undefined {
  const system = { darwin: "darwin", linux: "linux", win32: "windows" }[platform];
  const machine = { arm64: "aarch64", x64: "x86_64" }[arch];
  return system === undefined || machine === undefined ? undefined : `${system}-${machine}`;
}

function toAgent(value: unknown): RegistryAgent | undefined {
  const { id, name, version, description = "", distribution } = membersOf(value);
  // The id becomes the name of a folder, and a word of the command line.
  if (!isString(id) || !/^[A-Za-z0-9][A-Za-z0-9._-]*$/u.test(id)) return undefined;
  if (!isString(version) || !/^[A-Za-z0-9][A-Za-z0-9._+-]*$/u.test(version)) return undefined;
  if (!isString(name) || !isString(description) || !isObject(distribution)) return undefined;
  const { npx, uvx, binary } = membersOf(distribution);
  const archives = Object.entries(membersOf(binary)).flatMap(([platform, target]) => {
    const archive = toArchive(target);
    return archive === undefined ? [] : [[platform, archive] as const];
  });
  return {
    id,
    name,
    version,
    description,
    distribution: {
      npx: toPackage(npx),
      uvx: toPackage(uvx),
      binary: archives.length === 0 ? undefined : Object.fromEntries(archives),
    },
  };
}

function toPackage(value: unknown): PackagedAgent | undefined {
  const { package: name, args = [], env = {} } = membersOf(value);
  // What begins with a hyphen would be an option of npx.
  if (!isString(name) || !/^[\w@]/u.test(name) || !isStrings(args) || !isVariables(env)) return undefined;
  return { package: name, args, env };
}

function toArchive(value: unknown): AgentArchive | undefined {
  const { archive, cmd, args = [], env = {} } = membersOf(value);
  if (!isString(archive) || !isString(cmd) || !isStrings(args) || !isVariables(env)) return undefined;
  return { archive, cmd, args, env };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isVariables(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((item) => typeof item === "string");
}
