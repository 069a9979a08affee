/** What a model answers once, whatever the format. */
export interface Reply {
  readonly reasoning?: string;
  readonly text?: string;
  /** `args` is the text that the model writes: JSON, or something that should be. */
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  /** Default: `stop`, or `tool_calls` with calls. */
  readonly finish?: "stop" | "length" | "refusal" | "tool_calls";
  /** How much of the input the provider read from its cache, and how much it added to it. Anthropic's format only. */
  readonly cache?: { readonly read: number; readonly written: number };
  /** Ends the connection after so many events, in the middle of the answer. */
  readonly cutAfter?: number;
  /** Sends so many events, and then nothing. */
  readonly hangsAfter?: number;
  /** An error of the provider in the stream, after so many events. */
  readonly errorAfter?: number;
}

/** An answer without a stream, such as that to a request too many. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export type Json = Readonly<Record<string, unknown>>;

/** A format in which models stream. */
export interface Format {
  readonly name: string;
  readonly path: string;
  /** The data of the events; with the type as the name of the event where the format has one. */
  events(reply: Reply, number: number): readonly (Json | "[DONE]")[];
  /** The event that says that the provider has failed. */
  readonly failure: Json;
}

const usage = { input: 100, output: 20 };

/** A text in the pieces in which models send it. */
function pieces(text: string): readonly string[] {
  return text.match(/.{1,6}/gsu) ?? [];
}

export const openAi: Format = {
  name: "OpenAI-compatible chat completions",
  path: "/chat/completions",
  failure: { error: { message: "The server SECRET-BODY had an error", type: "server_error", code: null } },
  events({ reasoning = "", text = "", calls = [], finish }, number) {
    const chunk = (delta: object, finishReason: string | null = null): Json => ({
      id: `chatcmpl-${number}`,
      object: "chat.completion.chunk",
      created: 1_700_000_000,
      model: "stand-in",
      choices: [{ index: 0, delta, finish_reason: finishReason }],
    });
    const ofCall = ({ id, name, args }: NonNullable<Reply["calls"]>[number], index: number): Json[] => [
      chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
      ...pieces(args).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
    ];
    const reason = finish ?? (calls.length > 0 ? "tool_calls" : "stop");
    return [
      chunk({ role: "assistant", content: "" }),
      ...pieces(reasoning).map((part) => chunk({ reasoning_content: part })),
      ...pieces(text).map((content) => chunk({ content })),
      ...calls.flatMap(ofCall),
      chunk({}, reason === "refusal" ? "content_filter" : reason),
      {
        ...chunk({}),
        choices: [],
        usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: 120 },
      },
      "[DONE]",
    ];
  },
};

const stopReasons = { stop: "end_turn", length: "max_tokens", refusal: "refusal", tool_calls: "tool_use" } as const;

export const anthropic: Format = {
  name: "Anthropic messages",
  path: "/messages",
  failure: { type: "error", error: { type: "api_error", message: "SECRET-BODY" } },
  events({ reasoning = "", text = "", calls = [], finish, cache }, number) {
    let index = -1;
    const block = (start: object, deltas: readonly object[]): Json[] => {
      index += 1;
      return [
        { type: "content_block_start", index, content_block: start },
        ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index },
      ];
    };
    const message = {
      id: `msg_${number}`,
      type: "message",
      role: "assistant",
      model: "stand-in",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: usage.input,
        output_tokens: 1,
        ...(cache === undefined
          ? {}
          : { cache_read_input_tokens: cache.read, cache_creation_input_tokens: cache.written }),
      },
    };
    const reason = finish ?? (calls.length > 0 ? "tool_calls" : "stop");
    const thoughts = pieces(reasoning).map((thinking) => ({ type: "thinking_delta", thinking }));
    return [
      { type: "message_start", message },
      ...(reasoning === ""
        ? []
        : block({ type: "thinking", thinking: "", signature: "" }, [
            ...thoughts,
            { type: "signature_delta", signature: "c2ln" },
          ])),
      ...(text === ""
        ? []
        : block(
            { type: "text", text: "" },
            pieces(text).map((part) => ({ type: "text_delta", text: part })),
          )),
      ...calls.flatMap(({ id, name, args }) =>
        block(
          { type: "tool_use", id, name, input: {} },
          pieces(args).map((part) => ({ type: "input_json_delta", partial_json: part })),
        ),
      ),
      {
        type: "message_delta",
        delta: { stop_reason: stopReasons[reason], stop_sequence: null },
        usage: { output_tokens: usage.output },
      },
      { type: "message_stop" },
    ];
  },
};
