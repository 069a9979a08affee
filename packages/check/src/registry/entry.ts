import { at } from "@acp/testing";

const platforms = [
  "darwin-aarch64",
  "darwin-x86_64",
  "linux-aarch64",
  "linux-x86_64",
  "windows-aarch64",
  "windows-x86_64",
];

/** What is wrong with an entry, apart from its distribution. */
export function entryProblems(entry: unknown, folder: string): readonly string[] {
  if (!isObject(entry)) return ["agent.json is no object"];
  const { id, name, version, description, authors } = entry;
  return [
    ...problem(!isText(id) || !/^[a-z][a-z0-9-]*$/u.test(id), `id is ${JSON.stringify(id)}`),
    ...problem(isText(id) && id !== folder, `id is ${JSON.stringify(id)}, and its folder is ${folder}`),
    ...problem(!isText(name), "name is missing"),
    ...problem(!isText(description), "description is missing"),
    ...problem(!isText(version) || !/^\d+\.\d+\.\d+/u.test(version), `version is ${JSON.stringify(version)}`),
    ...problem(authors !== undefined && !isTexts(authors), "authors is no list of texts"),
    ...["repository", "license", "icon"].flatMap((member) =>
      problem(entry[member] !== undefined && typeof entry[member] !== "string", `${member} is no text`),
    ),
    ...problem(isText(entry["repository"]) && !URL.canParse(entry["repository"]), "repository is no URL"),
  ];
}

/** What is wrong with what an entry says about where the agent comes from. */
export function distributionProblems(entry: unknown): readonly string[] {
  const distribution = at(entry, "distribution");
  const version = at(entry, "version");
  if (!isObject(distribution) || Object.keys(distribution).length === 0)
    return ["distribution is missing or empty: it needs binary, npx or uvx"];
  return Object.entries(distribution).flatMap(([kind, value]) => {
    if (kind === "binary") return binaryProblems(value, version);
    if (kind === "npx" || kind === "uvx") return packageProblems(kind, value, version);
    return [`distribution has ${kind}, which the registry does not know`];
  });
}

function packageProblems(kind: string, value: unknown, version: unknown): readonly string[] {
  const name = at(value, "package");
  if (!isText(name)) return [`${kind} has no package`];
  const [, named] = /^@?[^@=<>~!]+(?:@|==|>=|=)(.+)$/u.exec(name) ?? [];
  return [
    ...problem(named?.toLowerCase() === "latest", `${kind} names ${name}, and not a version`),
    ...problem(
      named !== undefined && named.toLowerCase() !== "latest" && named !== version,
      `${kind} names ${name}, and the version of agent.json is ${String(version)}`,
    ),
    ...startProblems(kind, value, ["package"]),
  ];
}

function binaryProblems(value: unknown, version: unknown): readonly string[] {
  if (!isObject(value) || Object.keys(value).length === 0) return ["binary is no object with platforms"];
  const systems = new Set(Object.keys(value).map((platform) => platform.split("-")[0]));
  const missing = ["darwin", "linux", "windows"].filter((system) => !systems.has(system));
  return [
    ...problem(missing.length > 0, `binary has nothing for ${missing.join(" and ")}`),
    ...Object.entries(value).flatMap(([platform, target]) => targetProblems(platform, target, version)),
  ];
}

function targetProblems(platform: string, target: unknown, version: unknown): readonly string[] {
  if (!platforms.includes(platform)) return [`binary has ${platform}, which is none of ${platforms.join(", ")}`];
  const archive = at(target, "archive");
  const named = isText(archive) ? versionIn(archive) : undefined;
  return [
    ...problem(!isText(archive) || !URL.canParse(archive), `The archive of ${platform} is no URL`),
    ...problem(!isText(at(target, "cmd")), `${platform} has no cmd`),
    ...problem(isText(archive) && archive.includes("/latest/"), `The archive of ${platform} is of the latest version`),
    ...problem(
      named !== undefined && named !== version,
      `The archive of ${platform} is of version ${named}, and agent.json of ${String(version)}`,
    ),
    ...startProblems(platform, target, ["archive", "cmd"]),
  ];
}

/** What both kinds say about how the agent is started. */
function startProblems(what: string, value: unknown, members: readonly string[]): readonly string[] {
  const [args, env] = [at(value, "args"), at(value, "env")];
  const known = [...members, "args", "env"];
  const unknown = isObject(value) ? Object.keys(value).filter((member) => !known.includes(member)) : [];
  return [
    ...problem(args !== undefined && !isTexts(args), `args of ${what} is no list of texts`),
    ...problem(
      env !== undefined && !(isObject(env) && isTexts(Object.values(env))),
      `env of ${what} is no object of texts`,
    ),
    ...problem(unknown.length > 0, `${what} has ${unknown.join(", ")}, which the registry does not know`),
  ];
}

/** The version that an address of a release names. */
function versionIn(address: string): string | undefined {
  return (
    /\/(?:download|releases)\/v?(\d[\d.]*)\//u.exec(address) ?? /\/-\/[^/]+-(\d+\.\d+\.\d+)\.tgz/u.exec(address)
  )?.[1];
}

function problem(isThere: boolean, text: string): readonly string[] {
  return isThere ? [text] : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
