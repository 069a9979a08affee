import { ContentLengthDecoder } from "./content-length-decoder.ts";
import type { Framing } from "./framing.ts";
import { assertMessageSize, defaultMaxMessageBytes } from "./limits.ts";
import { encoder, utf8Length } from "./utf8.ts";

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
    for (const text of texts) contentLength.check(text, options);
    // As if it were all ASCII, which it mostly is; the size of the outcome tells. Saves counting.
    const plain = frame(texts, (text) => text.length);
    const bytes = encoder.encode(plain);
    return bytes.length === plain.length ? bytes : encoder.encode(frame(texts, utf8Length));
  },
};

function frame(texts: readonly string[], lengthOf: (text: string) => number): string {
  let framed = "";
  for (const text of texts) framed += `Content-Length: ${lengthOf(text)}\r\n\r\n${text}`;
  return framed;
}
