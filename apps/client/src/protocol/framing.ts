import { contentLength, type Framing, ndjson } from "@acp/framing";

/** The framing of this name. Default: ndjson. */
export function framingOf(name: string | undefined): Framing {
  return name === contentLength.name ? contentLength : ndjson;
}
