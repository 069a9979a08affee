// Modes and config options: in version 2, the mode is the option of category `mode`.
import { unknownVariant } from "@acp/schema";
import type * as V1 from "@acp/schema/v1/types";
import type * as V2 from "@acp/schema/v2/types";
import { defined } from "./convert-known.ts";

/** A call that sets something, in the other version. */
export interface SettingCall {
  readonly method: string;
  readonly params: object;
}

/** The members about settings of an answer of version 1 that opens a session. */
export interface Setup1 {
  readonly modes?: V1.SessionModeState | null;
  readonly configOptions?: readonly V1.SessionConfigOption[] | null;
}

type Option1 = V1.SessionConfigOption;
type Option2 = V2.Received.SessionConfigOption;

/** An option of version 1 in version 2. */
function optionUp(option: Option1): Option2 {
  const { id, ...rest } = option;
  if (rest.type !== "select") return { ...rest, configId: id };
  return { ...rest, configId: id, options: rest.options.map(groupUp) as V2.SessionConfigSelectOptions };
}

function groupUp(one: V1.SessionConfigSelectOption | V1.SessionConfigSelectGroup): object {
  if (!("group" in one)) return one;
  const { group, ...rest } = one;
  return { ...rest, groupId: group };
}

/** An option of version 2 in version 1. `undefined` for one of a type that version 1 does not know. */
function optionDown(option: Option2): V1.SessionConfigOption | undefined {
  if (option.type === unknownVariant) return undefined;
  const { configId, ...rest } = option;
  if (rest.type !== "select") return { ...rest, id: configId };
  return { ...rest, id: configId, options: rest.options.map(groupDown) as V1.SessionConfigSelectOptions };
}

function groupDown(one: V2.SessionConfigSelectOption | V2.SessionConfigSelectGroup): object {
  if (!("groupId" in one)) return one;
  const { groupId, ...rest } = one;
  return { ...rest, group: groupId };
}

/** What an agent of version 1 has said about the settings of a session, for clients of version 2. */
export class SettingsUp {
  #modes: V1.SessionModeState | undefined;
  #options: readonly Option2[] | undefined;

  /** Takes the answer that opens a session. Returns the options of version 2; `undefined` if there are none. */
  open({ modes, configOptions }: Setup1): readonly Option2[] | undefined {
    this.#modes = modes ?? undefined;
    this.#options = configOptions?.map(optionUp);
    return this.options;
  }

  /** All options; the mode is among them. */
  get options(): readonly Option2[] | undefined {
    const modes = this.#modes;
    if (modes === undefined || this.#ownModeOption !== undefined) return this.#options;
    const mode: Option2 = {
      type: "select",
      configId: this.#modeId,
      name: "Mode",
      category: "mode",
      currentValue: modes.currentModeId,
      options: modes.availableModes.map(({ id, ...rest }) => ({ value: id, ...rest })),
    };
    return [mode, ...(this.#options ?? [])];
  }

  /** The agent has all these options. Returns those of version 2. */
  setOptions(options: readonly Option1[]): readonly Option2[] {
    this.#options = options.map(optionUp);
    return this.options ?? [];
  }

  /** The mode has changed. Returns all options; none if the agent has never said which modes there are. */
  setMode(modeId: string): readonly Option2[] {
    if (this.#modes !== undefined) this.#modes = { ...this.#modes, currentModeId: modeId };
    const own = this.#ownModeOption;
    this.#options = this.#options?.map((option) => (option === own ? { ...own, currentValue: modeId } : option));
    return this.options ?? [];
  }

  /** The call of version 1 that does what `session/set_config_option` of version 2 asks for. */
  call(request: V2.SetSessionConfigOptionRequest): SettingCall {
    const { configId, value, type, ...rest } = request;
    if (this.#modes !== undefined && this.#ownModeOption === undefined && configId === this.#modeId)
      return { method: "session/set_mode", params: { ...rest, modeId: value } };
    const params = { ...rest, configId, ...(type === "boolean" ? { type } : {}), value };
    return { method: "session/set_config_option", params };
  }

  /** Takes the answer to that call. Returns the answer of version 2. */
  answer({ method, params }: SettingCall, answer: unknown): object {
    const { configOptions, ...rest } = answer as { readonly configOptions?: readonly Option1[] };
    if (method === "session/set_mode")
      return { ...rest, configOptions: this.setMode((params as V1.SetSessionModeRequest).modeId) };
    return { ...rest, configOptions: this.setOptions(configOptions ?? []) };
  }

  get #ownModeOption(): Extract<Option2, { type: "select" }> | undefined {
    return this.#options?.find(isModeOption);
  }

  /** The id of the option that is made of the modes: one that no other option has. */
  get #modeId(): string {
    const ids = new Set(this.#options?.map((option) => ("configId" in option ? option.configId : undefined)));
    let id = "mode";
    while (ids.has(id)) id = `${id}_`;
    return id;
  }
}

/** What an agent of version 2 has said about the settings of a session, for clients of version 1. */
export class SettingsDown {
  readonly #hasBooleans: boolean;
  #options: readonly Option2[] | undefined;

  /** @param hasBooleans Whether the client knows options that are on or off. */
  constructor(hasBooleans: boolean) {
    this.#hasBooleans = hasBooleans;
  }

  /** Takes the answer that opens a session. Returns the members of version 1. */
  open(configOptions: readonly Option2[] | null | undefined): Setup1 {
    this.#options = configOptions ?? undefined;
    return defined({ modes: this.modes, configOptions: this.#options && this.setOptions(this.#options) });
  }

  /** The agent has all these options. Returns those of version 1. */
  setOptions(options: readonly Option2[]): V1.SessionConfigOption[] {
    this.#options = options;
    return options
      .map(optionDown)
      .filter((option): option is V1.SessionConfigOption => option !== undefined)
      .filter(({ type }) => type !== "boolean" || this.#hasBooleans);
  }

  /** The modes, for clients that do not know options. */
  get modes(): V1.SessionModeState | undefined {
    const option = this.#options?.find(isModeOption);
    if (option === undefined) return undefined;
    const values = option.options.flatMap((one) => ("groupId" in one ? one.options : [one]));
    return {
      currentModeId: option.currentValue,
      availableModes: values.map(({ value, ...rest }) => ({ id: value, ...rest })),
    };
  }

  /** The params of `session/set_config_option` that do what `session/set_mode` asks for. `undefined` without modes. */
  modeCall({ modeId, ...rest }: V1.SetSessionModeRequest): object | undefined {
    const option = this.#options?.find(isModeOption);
    return option && { ...rest, configId: option.configId, type: "id", value: modeId };
  }
}

/** The params of `session/set_config_option` in version 2. */
export function setOptionUp({ type, ...rest }: V1.SetSessionConfigOptionRequest): object {
  return { ...rest, type: type === "boolean" ? "boolean" : "id" };
}

function isModeOption(option: Option2): option is Extract<Option2, { type: "select" }> {
  return option.type === "select" && option.category === "mode";
}
