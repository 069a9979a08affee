/** Gives out names for types: the same for the same input, and none twice. */
export class Names {
  readonly #taken = new Set<string>();

  /** A name from these words; with a number behind it if others have it already. */
  take(...words: readonly string[]): string {
    const wanted = typeName(words);
    let name = wanted;
    for (let count = 2; this.#taken.has(name.toLowerCase()); count++) name = `${wanted}${count}`;
    // File systems and readers alike confuse names that differ in case only.
    this.#taken.add(name.toLowerCase());
    return name;
  }
}

/** `_acme/read_notes`, `Request` to `AcmeReadNotesRequest`. */
function typeName(words: readonly string[]): string {
  const name = words
    // `généré` is readable without its accents; of other scripts nothing is left.
    .map((word) => word.normalize("NFD").replaceAll(/\p{M}/gu, ""))
    .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
    .filter((word) => word !== "")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
    // As the generator of types would write it, for which the inferred schema has to do.
    .replaceAll(/\d[a-z]/g, (letters) => letters.toUpperCase());
  return /^[A-Z]/.test(name) ? name : `Type${name}`;
}
