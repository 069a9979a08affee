import type { Format } from "./format.ts";

/** More parameters than a sequence has: the rest of them is not looked at. */
const maxParameters = 32;

const switches: Readonly<Record<number, readonly [on: Format | undefined, ...off: Format[]]>> = {
  1: ["bold"],
  2: ["dim"],
  3: ["italic"],
  4: ["underline"],
  7: ["inverse"],
  9: ["strikethrough"],
  21: ["underline"],
  22: [undefined, "bold", "dim"],
  23: [undefined, "italic"],
  24: [undefined, "underline"],
  27: [undefined, "inverse"],
  29: [undefined, "strikethrough"],
};

/** How many results are kept. */
const maxKnown = 1_000;

/** What sequences lead to. Most programs use few of them, again and again; the same formats are the same list. */
export class KnownGraphics {
  readonly #known = new Map<readonly Format[], Map<number, readonly Format[]>>();
  readonly #lists = new Map<string, readonly Format[]>();
  #count = 0;

  /** The formats after a sequence; `key` is another one for other parameters. */
  after(before: readonly Format[], key: number | undefined, parameters: () => string): readonly Format[] {
    const known = key === undefined ? undefined : this.#known.get(before)?.get(key);
    if (known !== undefined) return known;
    const found = graphics(before, parameters());
    if (key === undefined) return found;
    if (++this.#count % maxKnown === 0) {
      this.#known.clear();
      this.#lists.clear();
    }
    const name = found.join();
    const formats = this.#lists.get(name) ?? found;
    this.#lists.set(name, formats);
    const inner = this.#known.get(before) ?? new Map<number, readonly Format[]>();
    this.#known.set(before, inner.set(key, formats));
    return formats;
  }
}

/**
 * The formats after an SGR sequence with these parameters, such as `1;38;5;208`. What is not known, blinks or hides the text
 * is left out.
 */
function graphics(before: readonly Format[], parameters: string): readonly Format[] {
  let formats = before;
  // Some programs separate the parts of a colour, and kinds of underlines, with colons.
  const parts = parameters.split(";", maxParameters);
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? "";
    const isJoined = part.includes(":");
    const [code = 0, ...details] = isJoined ? part.split(":", maxParameters) : [part];
    if (Number(code) === 0) formats = [];
    else if (code === "38" || code === "48") {
      const values = isJoined ? withoutSpace(details) : parts.slice(at + 1, at + 5);
      const taken = values[0] === "5" ? 2 : values[0] === "2" ? 4 : 0;
      if (!isJoined) at += taken;
      const colour = values.slice(0, taken);
      const isColour =
        colour.length > 0 &&
        colour.length === taken &&
        colour.every((value) => value.length <= 3 && Number(value) < 256);
      if (isColour) formats = replaced(formats, code === "38" ? "fg" : "bg", `${code};${colour.join(";")}`);
    } else formats = plainly(formats, Number(code), details[0]);
  }
  return formats;
}

/** `38:2::1:2:3` has the place of a colour space, which nobody uses. */
function withoutSpace(details: readonly string[]): readonly string[] {
  return details[0] === "2" && details.length > 4 ? ["2", ...details.slice(2)] : details;
}

function plainly(before: readonly Format[], code: number, detail: string | undefined): readonly Format[] {
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return replaced(before, "fg", String(code));
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return replaced(before, "bg", String(code));
  if (code === 39) return replaced(before, "fg", undefined);
  if (code === 49) return replaced(before, "bg", undefined);
  const [on, ...off] = (code === 4 && detail === "0" ? switches[24] : switches[code]) ?? [undefined];
  if (on !== undefined) return before.includes(on) ? before : [...before, on];
  return off.length === 0 ? before : before.filter((format) => !off.includes(format));
}

function replaced(before: readonly Format[], ground: "fg" | "bg", colour: string | undefined): readonly Format[] {
  const others = before.filter((format) => !format.startsWith(`${ground} `));
  return colour === undefined ? others : [...others, `${ground} ${colour}`];
}
