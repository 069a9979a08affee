export { decode, type Decoded, type Decoder, formatIssue, invalid, Notes } from "./decoder.ts";
export { formatPath, type Issue, type Path } from "./issue.ts";
export { unknownVariant, type UnknownVariant } from "./unknown-variant.ts";

// For generated decoders; there is no need to call these by hand.
export { remember } from "./decoder.ts";
export { writeAsReceived } from "./unknown-variant.ts";
export {
  anything,
  choice,
  closedUnion,
  lenient,
  listOf,
  mapOf,
  type MemberReader,
  nullAs,
  openUnion,
  optional,
  record,
  required,
  tolerated,
  tolerantListOf,
  unlessAbsent,
  unlessMissing,
  unlessNull,
  unlessNullish,
} from "./described.ts";
export {
  emptyList,
  type Fields,
  firstOf,
  isFields,
  isInteger,
  isNumber,
  isShort,
  isText,
  list,
  map,
  maxDepth,
  member,
  oneOf,
  otherMembers,
  own,
  put,
  readAny,
  readBoolean,
  readFields,
  readInteger,
  readNumber,
  readString,
  refuse,
  refuseAt,
  refuseObject,
  refuseString,
  replaced,
  replacedString,
  tolerant,
  tolerantList,
  tuple,
  withdraw,
} from "./reading.ts";
export { otherTag, surround, unknownLike, unknownTag, unreadable } from "./reading-variants.ts";
