import { ContentLengthDecoder } from "./content-length-decoder.ts";
import { encodeWithHeaders } from "./encode-with-headers.ts";
import type { Framing } from "./framing.ts";
import { assertMessageSize, defaultMaxMessageBytes } from "./limits.ts";

/**
 * A header with the size before every message (TRAN-11): `Content-Length: <bytes>`, an empty line,
 * the message. Only for peers that ask for it; ACP over stdio is {@link ndjson}.
 *
 * Decoding takes header names in any case, blanks around values, bare LF line ends, equal lengths
 * given twice, `Content-Type` with UTF-8, other `Content-` and `X-` fields, and blank lines between
 * messages. Bodies without content are passed over. Everything else is an issue, and decoding goes
 * on at the next header.
 */
export const contentLength: Framing = {
  name: "content-length",
  createDecoder: (sink, options) => new ContentLengthDecoder(sink, options),
  check(text, options) {
    assertMessageSize(text, options?.maxMessageBytes ?? defaultMaxMessageBytes);
  },
  encode(texts, options) {
    if (options?.isChecked !== true) for (const text of texts) contentLength.check(text, options);
    return encodeWithHeaders(texts);
  },
};
