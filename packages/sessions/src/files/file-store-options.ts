/** Something in the folder of a store that cannot be read. The rest can. */
export interface StoreProblem {
  /** The session that it is in, as far as it is known. */
  readonly sessionId: string | undefined;
  /** The file; absolute. */
  readonly path: string;
  /** The line of the file, from 1 on. A file without lines is bad as a whole. */
  readonly line?: number | undefined;
  /** Such as `it is not JSON`. */
  readonly reason: string;
}

/** Options of {@link createFileStore}. */
export interface FileStoreOptions<Entry> {
  /**
   * Says why a value of a journal is no entry of your agent, and `undefined` if it is one. What is none is left out and reported.
   * Default: every value is an entry.
   */
  readonly check?: ((value: unknown) => string | undefined) | undefined;
  /**
   * The text with which the JSON of an entry ends, if the next words of the same text come as further entries. Entries that are
   * the same in everything else then become one: a message in thousands of parts is a few lines. Default: none is joined.
   */
  readonly textOf?: ((entry: Entry) => string | undefined) | undefined;
  /** Called once for each line that is left out, and for each summary that was broken. Default: nobody is told. */
  readonly onProblem?: ((problem: StoreProblem) => void) | undefined;
}
