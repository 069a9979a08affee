/** Where a command writes what it has to say. */
export interface Output {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** A command line that makes no sense; the message says what would. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The options of `acp-codegen generate`, for `parseArgs`. */
export const generateOptions = {
  out: { type: "string" },
  rules: { type: "string" },
  prose: { type: "string" },
  "prose-base": { type: "string", multiple: true },
  also: { type: "string", multiple: true },
  runtime: { type: "string", default: "@acp/schema" },
  check: { type: "boolean", default: false },
} as const;

/** The options of `acp-codegen infer`, for `parseArgs`. */
export const inferOptions = {
  out: { type: "string" },
  "recorded-by": { type: "string" },
  "handled-by": { type: "string" },
  "skip-unreadable": { type: "boolean", default: false },
} as const;

/** The values of those options. */
export interface InferValues {
  readonly out?: string | undefined;
  readonly "recorded-by"?: string | undefined;
  readonly "handled-by"?: string | undefined;
  readonly "skip-unreadable": boolean;
}

/** The values of the options of `acp-codegen generate`. */
export interface GenerateValues {
  readonly out?: string | undefined;
  readonly rules?: string | undefined;
  readonly prose?: string | undefined;
  readonly "prose-base"?: readonly string[] | undefined;
  readonly also?: readonly string[] | undefined;
  readonly runtime: string;
  readonly check: boolean;
}
