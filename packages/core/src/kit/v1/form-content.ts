import type { ElicitationPropertySchema, ElicitationSchema } from "@acp/schema/v1/types";
import type { Readable } from "./readable.ts";

/** One field of a form. */
export type FormField = Readable<ElicitationPropertySchema>;

/** A form: its fields, and which of them must be filled in (ELIC-06). Its `type` is added for you. */
export type FormSchema = FormSchemaOf<ElicitationSchema, FormField>;

/** The same in the types of a version of the protocol. */
export type FormSchemaOf<Schema, Field> = Omit<Readable<Schema>, "properties" | "type"> & {
  /** The fields by their names. */
  readonly properties: { readonly [name: string]: Field };
};

/** Only a field can be required. */
export interface RequiredFields<S extends { readonly properties: object }> {
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

/** The values of a form, typed by its schema: `{ name: string; colour?: "red" | "blue" }`. */
export type FormContent<S> = {
  -readonly [K in keyof FieldsOf<S> as K extends RequiredName<S> ? K : never]: FieldValue<FieldsOf<S>[K]>;
} & {
  -readonly [K in keyof FieldsOf<S> as K extends RequiredName<S> ? never : K]?: FieldValue<FieldsOf<S>[K]>;
} extends infer Content
  ? { [K in keyof Content]: Content[K] }
  : never;
