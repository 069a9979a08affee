/** What `attributes.ts` needs of Bun. */
declare module "bun:ffi" {
  type Kind = "cstring" | "ptr" | "u64" | "i32" | "i64";

  /** Opens a library of C. Pointers are arrays of bytes. */
  export function dlopen<const Name extends string>(
    library: string,
    functions: Readonly<Record<Name, { readonly args: readonly Kind[]; readonly returns: Kind }>>,
  ): { readonly symbols: Readonly<Record<Name, (...args: readonly (Uint8Array | number)[]) => number | bigint>> };
}
