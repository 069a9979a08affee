import type { Format, Json } from "../../../../../packages/ai/test/support/replies.ts";

/** How the Responses API of OpenAI streams. */
export const openAiResponses: Format = {
  name: "OpenAI's Responses API",
  path: "/responses",
  failure: { type: "error", code: "server_error", message: "SECRET-BODY" },
  events({ text = "", calls = [] }, number) {
    const response = { id: `resp_${number}`, created_at: 1_700_000_000, model: "stand-in" };
    const item = (outputIndex: number, started: object, ended: object, deltas: readonly Json[]): Json[] => [
      { type: "response.output_item.added", output_index: outputIndex, item: started },
      ...deltas,
      { type: "response.output_item.done", output_index: outputIndex, item: ended },
    ];
    const message = { type: "message", id: `msg_${number}`, role: "assistant" };
    const texts =
      text === ""
        ? []
        : item(0, { ...message, content: [] }, { ...message, content: [] }, [
            { type: "response.output_text.delta", item_id: message.id, output_index: 0, delta: text },
          ]);
    const made = calls.flatMap(({ id, name, args }, index) => {
      const at = index + (text === "" ? 0 : 1);
      const call = { type: "function_call", id: `fc_${number}_${index}`, call_id: id, name, status: "completed" };
      return item(at, { ...call, arguments: "" }, { ...call, arguments: args }, [
        { type: "response.function_call_arguments.delta", item_id: call.id, output_index: at, delta: args },
      ]);
    });
    const usage = { input_tokens: 100, output_tokens: 20, input_tokens_details: { cached_tokens: 80 } };
    return [
      { type: "response.created", response },
      ...texts,
      ...made,
      { type: "response.completed", response: { ...response, usage } },
    ];
  },
};
