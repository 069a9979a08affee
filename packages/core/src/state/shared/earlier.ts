import { unknownVariant } from "@acp/schema";
import { isObject, parseJson } from "../../base/values.ts";
import type { List } from "./list.ts";

/** What an agent has announced of a tool call, and has replaced or taken back since. Each list has the newest first. */
export interface EarlierAnnouncements<Content = unknown, Location = unknown> {
  readonly titles: readonly string[];
  readonly kinds: readonly unknown[];
  readonly rawInputs: readonly unknown[];
  readonly locations: readonly Location[];
  readonly content: readonly Content[];
  /** How many announcements are not kept, because there are too many. */
  readonly omitted: number;
  /** How much is kept, in UTF-16 code units of JSON. */
  readonly size: number;
}

/** A tool call of either version, as far as it says what it is going to do. */
interface AnnouncedCall<Content, Location> {
  readonly toolCallId: string;
  readonly title?: string;
  readonly kind: unknown;
  readonly rawInput?: unknown;
  readonly locations: readonly Location[];
  readonly content: readonly Content[] | List<Content>;
  readonly earlier?: EarlierAnnouncements<Content, Location>;
}

/** Of one call, this much is kept: agents may replace the output of a call without end. */
const maxCount = 1_000;
const maxSize = 4 * 1024 * 1024;

/** A changed call, with what was announced of it before. What an agent sends under that name does not count. */
export function withEarlier<
  Content,
  Location extends object,
  Call extends AnnouncedCall<Content, Location> & { readonly earlier?: EarlierAnnouncements<Content, Location> },
>(known: Call | undefined, next: Call): Call {
  const earlier = known === undefined || known === next ? known?.earlier : earlierOf(known, next);
  if (next.earlier === earlier) return next;
  const { earlier: _, ...call } = next;
  return (earlier === undefined ? call : { ...call, earlier }) as Call;
}

function earlierOf<Content, Location>(
  before: AnnouncedCall<Content, Location>,
  next: AnnouncedCall<Content, Location>,
): EarlierAnnouncements<Content, Location> | undefined {
  const { earlier } = before;
  const kept = new Kept(earlier);
  const titles = kept.add(earlier?.titles, titleOf(before), titleOf(next), isGrown);
  const kinds = kept.add(earlier?.kinds, [before.kind].filter(isSaid), [next.kind]);
  const rawInputs = kept.add(earlier?.rawInputs, [before.rawInput].filter(isSaid), [next.rawInput], isGrownJson);
  const locations = kept.add(earlier?.locations, before.locations, next.locations);
  const content =
    before.content === next.content
      ? (earlier?.content ?? [])
      : kept.add(earlier?.content, [...before.content], [...next.content], isGrownContent);
  return kept.isSame ? earlier : { titles, kinds, rawInputs, locations, content, ...kept.counts };
}

/** Adds to lists, up to the limits. */
class Kept {
  isSame = true;
  #count: number;
  #size: number;
  #omitted: number;

  constructor(known: EarlierAnnouncements | undefined) {
    const { titles = [], kinds = [], rawInputs = [], locations = [], content = [] } = known ?? {};
    this.#count = titles.length + kinds.length + rawInputs.length + locations.length + content.length;
    this.#size = known?.size ?? 0;
    this.#omitted = known?.omitted ?? 0;
  }

  get counts(): Pick<EarlierAnnouncements, "omitted" | "size"> {
    return { omitted: this.#omitted, size: this.#size };
  }

  /** The list with what is in `before` and not in `next`. `isIn`: whether a value goes on in another one. */
  add<Value>(
    list: readonly Value[] = [],
    before: readonly Value[],
    next: readonly Value[],
    isIn: (one: Value, other: Value) => boolean = () => false,
  ): readonly Value[] {
    if (before.length === 0 || before === next) return list;
    const present = new Set(next.map(jsonOf));
    const gone = before.filter((one) => !present.has(jsonOf(one)) && !next.some((other) => isIn(one, other)));
    if (gone.length === 0) return list;
    this.isSame = false;
    const known = new Set(list.map(jsonOf));
    const first = gone.filter((one) => known.has(jsonOf(one)) || this.#hasRoom(jsonOf(one).length));
    const newest = new Set(first.map(jsonOf));
    return [...first, ...list.filter((one) => !newest.has(jsonOf(one)))];
  }

  #hasRoom(size: number): boolean {
    const hasRoom = this.#count < maxCount && this.#size + size <= maxSize;
    if (hasRoom) {
      this.#count += 1;
      this.#size += size;
    } else this.#omitted += 1;
    return hasRoom;
  }
}

const texts = new WeakMap<object, string>();

/** A value as JSON. What is kept is compared with every update of its call. */
function jsonOf(value: unknown): string {
  const known = isObject(value) ? texts.get(value) : undefined;
  if (known !== undefined) return known;
  const text = JSON.stringify(value, asReceived) ?? "";
  if (isObject(value)) texts.set(value, text);
  return text;
}

/** An unknown variant as the agent has sent it, also in a copy that does not know how to write itself. */
function asReceived(_name: string, value: unknown): unknown {
  return isObject(value) && value["type"] === unknownVariant && "received" in value ? value["received"] : value;
}

/** In version 1, the id stands for a title that the agent has not sent. */
function titleOf({ title, toolCallId }: { readonly title?: string; readonly toolCallId: string }): string[] {
  return title === undefined || title === "" || title === toolCallId ? [] : [title];
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "other" && !isEmptyObject(value);
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** Whether a text arrives in pieces: the next one begins with it, and so shows it. */
function isGrown(one: unknown, other: unknown): boolean {
  return typeof one === "string" && typeof other === "string" && other.startsWith(one);
}

/** Arguments that a model is still writing. Whole ones stay, even if others begin in the same way. */
function isGrownJson(one: unknown, other: unknown): boolean {
  return isGrown(one, other) && typeof one === "string" && /^\s*\{/u.test(one) && parseJson(one) === undefined;
}

function isGrownContent(one: unknown, other: unknown): boolean {
  const [before, next] = [textOfContent(one), textOfContent(other)];
  return isGrown(before, next);
}

/** The text of a text block in the content of a call. */
export function textOfContent(item: unknown): string | undefined {
  if (!isObject(item) || item["type"] !== "content" || !isObject(item["content"])) return undefined;
  const { type, text } = item["content"] as Readonly<Record<string, unknown>>;
  return type === "text" && typeof text === "string" ? text : undefined;
}
