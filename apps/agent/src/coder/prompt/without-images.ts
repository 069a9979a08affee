import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from "ai";

import type { ConfiguredModel } from "../../model/models.ts";

type Params = Parameters<NonNullable<LanguageModelMiddleware["transformParams"]>>[0]["params"];
type Message = Params["prompt"][number];

/** What stands where an image was. */
const note =
  "[An image was here. This model takes no images: ask the user to describe it, or to choose another model.]";

/**
 * The model as a turn asks it. One that takes no images gets a sentence in place of each: the history keeps them, so that
 * another model of the same session sees them.
 */
export function readableModel({ model, takesImages }: ConfiguredModel): LanguageModel {
  if (takesImages || typeof model === "string") return model;
  return wrapLanguageModel({
    model,
    middleware: {
      transformParams: ({ params }) => Promise.resolve({ ...params, prompt: params.prompt.map(withoutImages) }),
    },
  });
}

function withoutImages(message: Message): Message {
  if (message.role !== "user") return message;
  return {
    ...message,
    content: message.content.map((part) =>
      part.type === "file" && part.mediaType.startsWith("image/") ? { type: "text", text: note } : part,
    ),
  };
}
