/** How much output may be pending for a slow client, in bytes. The rest is discarded, so that memory stays bounded. */
const maxPendingBytes = 1024 * 1024;

/** Sends output, but discards it while the client falls behind, and shows a note where some is missing. */
export function limitPending(output: (data: string | Uint8Array) => Promise<void>): (bytes: Uint8Array) => void {
  let pendingBytes = 0;
  let isDiscarding = false;
  const send = async (data: string | Uint8Array): Promise<void> => {
    pendingBytes += data.length;
    // Sending fails only once the connection or the turn has ended. Then nobody needs the output.
    await output(data).catch(() => {});
    pendingBytes -= data.length;
  };
  return (bytes) => {
    const wasDiscarding = isDiscarding;
    isDiscarding = pendingBytes > maxPendingBytes;
    if (!isDiscarding) void send(bytes);
    else if (!wasDiscarding) void send("\n[Some output was discarded: the client reads too slowly]\n");
  };
}
