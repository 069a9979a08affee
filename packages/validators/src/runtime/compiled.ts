/** An error as ajv's code reports it; `message` is left out at compile time, the words are ours. */
export interface CompiledError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A function that ajv wrote: answers whether the value is valid, and leaves the errors on itself. */
export interface CompiledValidator {
  (value: unknown): boolean;
  errors?: readonly CompiledError[] | null;
}

/** What the compiled functions need: the checks of `format`, and how to count characters. */
export interface Runtime {
  readonly formats: Readonly<Record<string, { readonly validate: (value: never) => boolean }>>;
  readonly codePoints: (text: string) => number;
}

/** What `compile` of a generated module returns: a validator per definition, and which definition describes which message. */
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
