import { isObject } from "../../base/values.ts";
import { type AskedFact, FactList } from "./asked-facts.ts";
import { type EarlierAnnouncements, textOfContent } from "./earlier.ts";
import { type ActionDetail, parseObject } from "./raw-input.ts";

/** A tool call of either version, or a change of one. */
export interface DescribedCall<Content> {
  readonly title?: string | null;
  readonly kind?: unknown;
  readonly locations?: Iterable<{ readonly path: string }> | null;
  readonly content?: Iterable<Content> | null;
  readonly rawInput?: unknown;
  /** What was announced of it before. */
  readonly earlier?: EarlierAnnouncements<Content, { readonly path: string }> | undefined;
}

/**
 * What a permission question asks for. All of it is the agent's word: show it with `visibleText`, and whole.
 *
 * It has all that the agent has announced for the call, also what it has replaced or taken back since. Each list has the
 * newest first.
 */
export interface AskedAction<Content> {
  /** What the agent calls it; empty if it has no name for it. It proves nothing: show it as the comment that it is. */
  readonly title: string;
  /** More about it; only in version 2. */
  readonly description: string | undefined;
  /** The kind of the tool, such as `execute`; `other` if that is unknown. */
  readonly kind: string;
  /** The commands that would run, each as a shell reads it; they may have several lines. */
  readonly commands: readonly string[];
  /** The directories that they would run in, if the agent names any. */
  readonly directories: readonly string[];
  /** The files that it is about: of the locations, the diffs and the arguments. */
  readonly paths: readonly string[];
  /** The variables of the environment that the agent sets. */
  readonly variables: readonly ActionDetail[];
  /** All other arguments, such as `url` or `pattern`. */
  readonly details: readonly ActionDetail[];
  /** The content of the tool call, such as the diff that would be applied. */
  readonly content: readonly Content[];
  /** All of the above in the order in which a user should read it: show nothing less. */
  readonly facts: readonly AskedFact<Content>[];
}

/** What describes an action beside its tool call. */
interface Words {
  readonly title?: string;
  readonly description?: string | null | undefined;
  readonly command?: string | undefined;
  readonly directory?: string | undefined;
  /** A subject of an unknown kind. */
  readonly received?: unknown;
}

/** What an agent announces at one time, or did before. */
interface Announcement<Content> {
  readonly rawInputs: readonly unknown[];
  readonly locations: readonly { readonly path: string }[];
  readonly content: readonly Content[];
}

/** What is asked about a tool call: what the question says, and all that is known of the call. */
export function describeAction<Content extends object>(
  words: Words,
  asked: DescribedCall<Content> | undefined,
  known: DescribedCall<Content> | undefined,
): AskedAction<Content> {
  const { earlier } = known ?? {};
  const inputs = [asked?.rawInput, known?.rawInput].filter((input) => !isEmpty(input));
  const locations = [asked?.locations, known?.locations].map(listOf).filter(isFilled);
  const contents = [asked?.content, known?.content].map(listOf).filter(isFilled);
  const kinds = [asked?.kind, known?.kind, ...(earlier?.kinds ?? [])].filter(isKind);
  const titles = [words.title, isEmpty(asked?.title) ? known?.title : asked?.title];
  // The question counts as the newest announcement. What it leaves out is as it was.
  const [newest, before]: readonly [Announcement<Content>, Announcement<Content>] = [
    { rawInputs: inputs.slice(0, 1), locations: locations[0] ?? [], content: contents[0] ?? [] },
    {
      rawInputs: [...inputs.slice(1), ...(earlier?.rawInputs ?? [])],
      locations: [...(locations[1] ?? []), ...(earlier?.locations ?? [])],
      content: [...(contents[1] ?? []), ...(earlier?.content ?? [])],
    },
  ];
  const facts = new FactList<Content>(kinds.includes("execute"));
  for (const kind of kinds) facts.add("kind", kind, kind !== kinds[0]);
  facts.add("command", words.command);
  facts.add("directory", words.directory);
  facts.addInput(words.received, false);
  for (const [announcement, isEarlier] of [[newest, false] as const, [before, true] as const]) {
    for (const { path } of announcement.locations) facts.add("path", path, isEarlier);
    for (const item of announcement.content) addContent(facts, item, isEarlier);
    for (const input of announcement.rawInputs) facts.addInput(input, true, isEarlier);
  }
  for (const text of [...titles, words.description]) facts.add("comment", text ?? undefined);
  for (const title of [known?.title, ...(earlier?.titles ?? [])]) facts.add("comment", title ?? undefined, true);
  if (earlier !== undefined && earlier.omitted > 0) facts.add("omitted", String(earlier.omitted), true);
  return {
    title: titles.find((title) => !isEmpty(title)) ?? "",
    description: words.description ?? undefined,
    kind: kinds[0] ?? "other",
    commands: facts.values("command"),
    directories: facts.values("directory"),
    paths: facts.values("path"),
    variables: facts.named("variable"),
    details: facts.named("url", "argument"),
    content: [...newest.content, ...before.content],
    facts: facts.sorted(),
  };
}

/** A diff names files. The text of Kimi and others has the arguments, as JSON. */
function addContent<Content extends object>(facts: FactList<Content>, item: Content, isEarlier: boolean): void {
  for (const path of pathsOf(item)) facts.add("path", path, isEarlier);
  const text = textOfContent(item);
  const value = text === undefined ? undefined : parseObject(text);
  const isInput = isObject(value) && !Array.isArray(value) && Object.keys(value).length > 0;
  if (isInput) facts.addInput(value, false, isEarlier);
  // Each member of it is a fact then, unless it says more than could be parsed.
  if (!isInput || withoutSpace(text ?? "") !== JSON.stringify(value)) facts.addContent(item, isEarlier);
}

/** JSON without the space between its tokens. */
function withoutSpace(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|\s+/gu, (token) => (token.startsWith('"') ? token : ""));
}

/** The files of a diff of either version. */
function pathsOf(item: object): readonly string[] {
  if (!("type" in item) || item.type !== "diff") return [];
  const { path, changes } = item as Readonly<Record<string, unknown>>;
  const files = Array.isArray(changes) ? changes : [];
  const paths = [path, ...files.flatMap((file: unknown) => (isObject(file) ? [file["oldPath"], file["path"]] : []))];
  return paths.filter((one) => typeof one === "string");
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (isObject(value) && Object.keys(value).length === 0);
}

function isKind(kind: unknown): kind is string {
  return typeof kind === "string" && kind !== "other" && kind !== "";
}

function listOf<Item>(items: Iterable<Item> | null | undefined): readonly Item[] {
  return Array.from(items ?? []);
}

function isFilled(list: readonly unknown[]): boolean {
  return list.length > 0;
}
