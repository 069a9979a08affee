/** An error as ajv's code reports it; `message` is dropped at compile time, since the words are ours. */
export interface CompiledError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A function that ajv has written: returns whether the value is valid, and keeps the errors on itself. */
export interface CompiledValidator {
  (value: unknown): boolean;
  errors?: readonly CompiledError[] | null;
}

/** The dependencies of the compiled functions: the checks of `format`, and how to count characters. */
export interface Runtime {
  readonly formats: Readonly<Record<string, { readonly validate: (value: never) => boolean }>>;
  readonly codePoints: (text: string) => number;
}

/** What `compile` of a generated module returns: a validator for each definition, and the definition of each message. */
export interface Compiled<
  Definition extends string = string,
  Request extends string = string,
  Notification extends string = string,
> {
  readonly definitions: Readonly<Record<Definition, CompiledValidator>>;
  readonly names: readonly Definition[];
  readonly requests: Readonly<Record<Request, Definition>>;
  readonly results: Readonly<Record<Request, Definition>>;
  readonly notifications: Readonly<Record<Notification, Definition>>;
}
