/** A type whose lists and members only need to be read: what a constant in the program has as its type. */
export type Readable<T> = T extends readonly (infer Item)[]
  ? readonly Readable<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Readable<T[K]> }
    : T;
