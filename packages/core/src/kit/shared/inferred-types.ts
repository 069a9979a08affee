// Types that the compiler infers from what an agent declares: its forms and its settings.

/** A type with read-only members and lists, so that constants fit. */
export type Readable<T> = T extends readonly (infer Item)[]
  ? readonly Readable<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Readable<T[K]> }
    : T;

/** A form to declare, from the schema of a form and of a field in one version of the protocol. */
export type FormSchemaOf<Schema, Field> = Omit<Readable<Schema>, "properties" | "type"> & {
  /** The fields by their names. */
  readonly properties: { readonly [name: string]: Field };
};

/** Only a field can be required. */
export interface RequiredFields<S extends { readonly properties: object }> {
  readonly required?: readonly (keyof S["properties"])[] | null;
}

type FieldValue<F> = F extends { readonly type: "string" }
  ? ChoiceOf<F>
  : F extends { readonly type: "number" | "integer" }
    ? number
    : F extends { readonly type: "boolean" }
      ? boolean
      : F extends { readonly type: "array"; readonly items: infer Items }
        ? ChoiceOf<Items>[]
        : never;

/** One of the choices of a field, or any text if it has none. */
type ChoiceOf<F> = F extends { readonly enum: readonly (infer Value extends string)[] }
  ? Value
  : F extends { readonly oneOf: readonly { readonly const: infer Value extends string }[] }
    ? Value
    : F extends { readonly anyOf: readonly { readonly const: infer Value extends string }[] }
      ? Value
      : string;

type RequiredName<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

type FieldsOf<S> = S extends { readonly properties: infer Fields } ? Fields : never;

/** The values of a form, typed by its schema: `{ name: string; colour?: "red" | "blue" }`. */
export type FormContent<S> = {
  -readonly [K in keyof FieldsOf<S> as K extends RequiredName<S> ? K : never]: FieldValue<FieldsOf<S>[K]>;
} & {
  -readonly [K in keyof FieldsOf<S> as K extends RequiredName<S> ? never : K]?: FieldValue<FieldsOf<S>[K]>;
} extends infer Content
  ? { [K in keyof Content]: Content[K] }
  : never;

/** The values that a config option can have. */
export type OptionValue<Option> = Option extends { readonly type: "boolean" }
  ? boolean
  : Option extends { readonly options: readonly (infer Item)[] }
    ? ListedValue<Item>
    : never;

type ListedValue<Item> = Item extends { readonly value: infer Value extends string }
  ? Value
  : Item extends { readonly options: readonly { readonly value: infer Value extends string }[] }
    ? Value
    : never;
