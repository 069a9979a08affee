import type { SessionConfigOption, SessionModeState } from "@acp/schema/v1/types";
import type { Readable } from "./readable.ts";

/** What can be set in a session, in the types of the protocol, with the values that a new session begins with. */
export interface SettingsDefinition {
  /** The modes (MODE-01). Without an option of category `mode`, one named `mode` is made from them. */
  readonly modes?: Readable<SessionModeState> | undefined;
  /** The options, important ones first (CONF-04). From one of category `mode` the modes are made as well. */
  readonly configOptions?: readonly Readable<SessionConfigOption>[] | undefined;
}

type OptionOf<D> = D extends { readonly configOptions: readonly (infer Option)[] } ? Option : never;

/** What an option can be set to. */
export type ValueOf<Option> = Option extends { readonly type: "boolean" }
  ? boolean
  : Option extends { readonly options: readonly (infer Item)[] }
    ? ListedValue<Item>
    : never;

type ListedValue<Item> = Item extends { readonly value: infer Value extends string }
  ? Value
  : Item extends { readonly options: readonly { readonly value: infer Value extends string }[] }
    ? Value
    : never;

type MadeFromModes<D> = [Extract<OptionOf<D>, { readonly category: "mode" }>] extends [never]
  ? D extends { readonly modes: { readonly availableModes: readonly { readonly id: infer Id extends string }[] } }
    ? { mode: Id }
    : Record<never, never>
  : Record<never, never>;

/** The values of all options, by their ids: `{ mode: "ask" | "code"; web: boolean }`. */
export type SettingValues<D> = Flat<
  {
    [Option in OptionOf<D> as Option extends { readonly id: infer Id extends string } ? Id : never]: ValueOf<Option>;
  } & MadeFromModes<D>
>;

/** The same members, in one piece. */
type Flat<T> = { [K in keyof T]: T[K] };
