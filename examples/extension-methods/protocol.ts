// Methods of our own, shared by both sides. Their names begin with an underscore.
import { extend, notification, request, v1 } from "@acp/core";

export const acme = extend(v1, {
  // What the agent handles and the client calls.
  agent: {
    "_acme/count_words": request<{ text: string }, { words: number }>(),
  },
  // What the client handles and the agent calls.
  client: {
    "_acme/progress": notification<{ done: number; total: number }>(),
  },
});
