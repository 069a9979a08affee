/** One end of a pipe inside this process. */
export interface ByteEnd {
  start(data: (bytes: Uint8Array) => void): void;
  /** Returns a promise while more than a pipe of the system would hold is on its way. */
  write(bytes: Uint8Array): void | Promise<void>;
}

const capacity = 64 * 1024;

/** Two ends: what one writes the other reads in a later macrotask, as from a pipe of the system. */
export function bytePair(): readonly [ByteEnd, ByteEnd] {
  const there = oneWay();
  const back = oneWay();
  return [
    { start: back.start, write: there.write },
    { start: there.start, write: back.write },
  ];
}

function oneWay(): ByteEnd {
  let data: ((bytes: Uint8Array) => void) | undefined;
  let queue: Uint8Array[] = [];
  let size = 0;
  let room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;
  const deliver = (): void => {
    const chunks = queue;
    queue = [];
    size = 0;
    room?.open();
    room = undefined;
    for (const chunk of chunks) data?.(chunk);
  };
  return {
    start(sink) {
      data = sink;
    },
    write(bytes) {
      if (queue.push(bytes) === 1) setImmediate(deliver);
      size += bytes.length;
      if (size >= capacity) room ??= gate();
      return size < capacity ? undefined : room?.promise;
    },
  };
}

function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
