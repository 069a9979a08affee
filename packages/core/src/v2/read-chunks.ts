import { createChunkReader as createOlderReader } from "../session/client/read-chunks.ts";

/**
 * Reads the params of what an agent sends most, as that of version 1 does. Here every chunk names its message: one that does
 * not breaks the protocol, and is left to the decoder.
 */
export function createChunkReader(): (text: string) => object | undefined {
  const read = createOlderReader();
  return (text) => {
    const params = read(text) as { readonly update: { readonly messageId?: string } } | undefined;
    return params?.update.messageId === undefined ? undefined : params;
  };
}
