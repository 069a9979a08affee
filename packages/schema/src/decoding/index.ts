export { decode, type Decoded, type Decoder, formatIssue, invalid, Notes } from "./decoder.ts";
export { formatPath, type Issue, type Path } from "./issue.ts";
export { unknownVariant, type UnknownVariant } from "./unknown-variant.ts";
