import { isObject } from "../../base/values.ts";
import { type ActionDetail, readRawInput } from "./raw-input.ts";

/** A tool call of either version, or a change of one. */
export interface DescribedCall<Content> {
  readonly title?: string | null;
  readonly kind?: unknown;
  readonly locations?: Iterable<{ readonly path: string }> | null;
  readonly content?: Iterable<Content> | null;
  readonly rawInput?: unknown;
}

/** What a permission question asks for. All of it is the agent's word: show it with `visibleText`, and whole. */
export interface AskedAction<Content> {
  /** What the agent calls it; empty if it has no name for it. */
  readonly title: string;
  /** More about it; only in version 2. */
  readonly description: string | undefined;
  /** The kind of the tool, such as `execute`; `other` if that is unknown. */
  readonly kind: string;
  /** The commands that would run, each as one line of a shell. */
  readonly commands: readonly string[];
  /** The directories that they would run in, if the agent names any. */
  readonly directories: readonly string[];
  /** The files that it is about: of the locations, the diffs and the arguments. */
  readonly paths: readonly string[];
  /** All other arguments, such as `url` or `pattern`, except texts that a diff in {@link content} shows. */
  readonly details: readonly ActionDetail[];
  /** The content of the tool call, such as the diff that would be applied. */
  readonly content: readonly Content[];
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

/** What is asked about a tool call. What the question says of the call counts more than what was known of it before. */
export function describeAction<Content extends object>(
  words: Words,
  asked: DescribedCall<Content> | undefined,
  known: DescribedCall<Content> | undefined,
): AskedAction<Content> {
  const kind = asked?.kind ?? known?.kind;
  const content = [...(asked?.content ?? known?.content ?? [])];
  const rawInput = isEmpty(asked?.rawInput) ? known?.rawInput : asked?.rawInput;
  const input = readRawInput(rawInput, kind === "execute");
  const subject = readRawInput(words.received, false);
  const changes = content.flatMap(readDiff);
  const locations = Array.from(asked?.locations ?? known?.locations ?? [], ({ path }) => path);
  const isShown = ({ value }: ActionDetail): boolean =>
    changes.some(({ texts }) => texts.some((text) => text === value || (value.includes("\n") && text.includes(value))));
  return {
    title: words.title ?? asked?.title ?? known?.title ?? "",
    description: words.description ?? undefined,
    kind: typeof kind === "string" ? kind : "other",
    commands: unique([words.command, ...subject.commands, ...input.commands]),
    directories: unique([words.directory, ...subject.directories, ...input.directories]),
    paths: unique([...locations, ...changes.flatMap(({ paths }) => paths), ...subject.paths, ...input.paths]),
    details: [...subject.details, ...input.details.filter((detail) => !isShown(detail))],
    content,
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (isObject(value) && Object.keys(value).length === 0);
}

function unique(texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => text !== undefined && text !== ""))] as string[];
}

interface ReadDiff {
  readonly paths: readonly string[];
  /** The texts before and after. */
  readonly texts: readonly string[];
}

/** The files of a diff of either version, and the texts that a client shows of it. */
function readDiff(item: object): readonly ReadDiff[] {
  if (!("type" in item) || item.type !== "diff") return [];
  const { path, oldText, newText, changes } = item as Readonly<Record<string, unknown>>;
  const files = Array.isArray(changes) ? changes : [];
  const texts = [oldText, newText].filter((text) => typeof text === "string");
  const paths = [path, ...files.flatMap((file: unknown) => (isObject(file) ? [file["oldPath"], file["path"]] : []))];
  return [{ paths: paths.filter((one) => typeof one === "string"), texts }];
}
