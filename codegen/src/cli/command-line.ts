/** Where a command writes what it has to say. */
export interface Output {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** A command line that makes no sense; the message says what would. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The options of `acp-codegen init`, for `parseArgs`. */
export const initOptions = { schema: { type: "string" }, out: { type: "string" } } as const;

/** The options of `acp-codegen generate`. */
export const generateOptions = {
  config: { type: "string" },
  rules: { type: "string" },
  prose: { type: "string" },
  "prose-base": { type: "string", multiple: true },
  also: { type: "string", multiple: true },
  out: { type: "string" },
  runtime: { type: "string" },
  strict: { type: "boolean" },
  check: { type: "boolean", default: false },
} as const;

/** The options of `acp-codegen import`. */
export const importOptions = {
  config: { type: "string" },
  rules: { type: "string" },
  prose: { type: "string" },
  "prose-base": { type: "string", multiple: true },
  also: { type: "string", multiple: true },
  examples: { type: "string" },
  strict: { type: "boolean" },
  prune: { type: "boolean", default: false },
} as const;

/** The options of `acp-codegen status`. */
export const statusOptions = {
  config: { type: "string" },
  rules: { type: "string" },
  prose: { type: "string" },
  "prose-base": { type: "string", multiple: true },
  also: { type: "string", multiple: true },
  examples: { type: "string" },
  strict: { type: "boolean" },
} as const;

/** The options of `acp-codegen diff`. */
export const diffOptions = {
  format: { type: "string", default: "text" },
  "fail-on": { type: "string", multiple: true },
  rules: { type: "string" },
} as const;

/** The options of `acp-codegen infer`. */
export const inferOptions = {
  out: { type: "string" },
  "recorded-by": { type: "string" },
  "handled-by": { type: "string" },
  "skip-unreadable": { type: "boolean", default: false },
} as const;

/** The values of the options of `init`. */
export interface InitValues {
  readonly schema?: string | undefined;
  readonly out?: string | undefined;
}

/** The values of the options of `infer`. */
export interface InferValues {
  readonly out?: string | undefined;
  readonly "recorded-by"?: string | undefined;
  readonly "handled-by"?: string | undefined;
  readonly "skip-unreadable": boolean;
}

/** The values of the options of `acp-codegen diff`. */
export interface DiffValues {
  readonly format: string;
  readonly "fail-on"?: readonly string[] | undefined;
  readonly rules?: string | undefined;
}

/** The values of the options that say which files belong to a schema. */
export interface BindingValues {
  readonly config?: string | undefined;
  readonly out?: string | undefined;
  readonly rules?: string | undefined;
  readonly prose?: string | undefined;
  readonly "prose-base"?: readonly string[] | undefined;
  readonly also?: readonly string[] | undefined;
  readonly examples?: string | undefined;
  readonly runtime?: string | undefined;
  readonly strict?: boolean | undefined;
}
