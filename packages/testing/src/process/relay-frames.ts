/** What goes between a relay and the test: bytes of the client or the agent, the end of them, or an order. */
export type Frame =
  | { readonly type: "bytes"; readonly bytes: Uint8Array }
  | { readonly type: "end" }
  | { readonly type: "note"; readonly note: RelayNote };

/** What a relay is told to do, or tells. */
export interface RelayNote {
  /** The first of a relay: which command it belongs to, and its process. */
  readonly token?: string;
  readonly pid?: number;
  /** The arguments behind those of the command. */
  readonly args?: readonly string[];
  /** A signal that the relay has got, or has to end by. */
  readonly signal?: string;
  /** An order: ends the relay with this exit code. */
  readonly exit?: number;
  /** An order: writes this to stderr. */
  readonly stderr?: string;
  /** An order: tells the same back, behind the signals that it has got so far. */
  readonly settle?: number;
}

const types = ["bytes", "end", "note"] as const;
const headBytes = 5;

/** Puts a frame into bytes: its type, its length, and what is in it. */
export function encodeFrame(frame: Frame): Uint8Array {
  const content =
    frame.type === "bytes"
      ? frame.bytes
      : new TextEncoder().encode(frame.type === "note" ? JSON.stringify(frame.note) : "");
  const encoded = new Uint8Array(headBytes + content.length);
  encoded[0] = types.indexOf(frame.type);
  new DataView(encoded.buffer).setUint32(1, content.length);
  encoded.set(content, headBytes);
  return encoded;
}

/** Creates a function that takes bytes, cut anywhere, and calls back with each frame. */
export function createFrameReader(onFrame: (frame: Frame) => void): (chunk: Uint8Array) => void {
  let chunks: Uint8Array[] = [];
  let held = 0;
  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    if (held < needed(chunks)) return;
    let rest = join(chunks, held);
    while (rest.length >= needed([rest])) {
      const length = needed([rest]);
      onFrame(decodeFrame(rest[0] ?? 0, rest.slice(headBytes, length)));
      rest = rest.subarray(length);
    }
    chunks = rest.length === 0 ? [] : [rest];
    held = rest.length;
  };
}

/** How many bytes the first frame has, or needs at least. */
function needed(chunks: readonly Uint8Array[]): number {
  const first = chunks[0];
  if (first === undefined || first.length < headBytes) return chunks.length < 2 ? headBytes : 0;
  return headBytes + new DataView(first.buffer, first.byteOffset).getUint32(1);
}

function decodeFrame(type: number, content: Uint8Array): Frame {
  if (types[type] === "bytes") return { type: "bytes", bytes: content };
  if (types[type] === "end") return { type: "end" };
  return { type: "note", note: JSON.parse(new TextDecoder().decode(content)) as RelayNote };
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}
