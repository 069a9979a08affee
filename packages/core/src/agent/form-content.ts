import type { ElicitationPropertySchema, ElicitationSchema } from "@acp/schema/v1";
import type { Readable } from "./readable.ts";

/** One field of a form. */
export type FormField = Readable<ElicitationPropertySchema>;

/** A form: its fields, and which of them must be filled in (ELIC-06). `type` is filled in. */
export type FormSchema = Omit<Readable<ElicitationSchema>, "properties" | "type"> & {
  readonly properties: { readonly [name: string]: FormField };
};

/** Only a field can be required. */
export interface RequiredFields<S extends FormSchema> {
  readonly required?: readonly (keyof S["properties"])[] | null;
}

/** What is filled in in one field: one of the choices where it has some. */
type FieldValue<F> = F extends { readonly type: "string" }
  ? ChoiceOf<F>
  : F extends { readonly type: "number" | "integer" }
    ? number
    : F extends { readonly type: "boolean" }
      ? boolean
      : F extends { readonly type: "array"; readonly items: infer Items }
        ? ChoiceOf<Items>[]
        : never;

type ChoiceOf<F> = F extends { readonly enum: readonly (infer Value extends string)[] }
  ? Value
  : F extends { readonly oneOf: readonly { readonly const: infer Value extends string }[] }
    ? Value
    : F extends { readonly anyOf: readonly { readonly const: infer Value extends string }[] }
      ? Value
      : string;

type RequiredName<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

type FieldsOf<S> = S extends { readonly properties: infer Fields } ? Fields : never;

/** What is filled in in a form: `{ name: string; colour?: "red" | "blue" }`. */
export type FormContent<S> = {
  -readonly [K in keyof FieldsOf<S> as K extends RequiredName<S> ? K : never]: FieldValue<FieldsOf<S>[K]>;
} & {
  -readonly [K in keyof FieldsOf<S> as K extends RequiredName<S> ? never : K]?: FieldValue<FieldsOf<S>[K]>;
} extends infer Content
  ? { [K in keyof Content]: Content[K] }
  : never;
