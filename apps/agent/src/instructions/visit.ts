import { openPage } from "../tools/page.ts";
import type { Instruction } from "./instruction.ts";

/** How long the page waits for its visitor, in milliseconds. */
const patience = 60_000;

export const visit: Instruction = {
  name: "visit",
  aliases: ["url"],
  summary: "Ask you to open a page in your browser",
  async run(_, task) {
    const page = await openPage("Thank you. You can close this page and go back.");
    try {
      const message = "Please visit a page of mine; it knows when you were there.";
      const answer = await task.askUrl(message, page.url);
      switch (answer.action) {
        case "accept":
          break;
        case "decline":
          return await task.say("You would rather not open it. That is fine.");
        case "cancel":
          return await task.say("You have closed the question.");
        case "failed":
          return await task.say(`You could not be asked: ${answer.error.message}`);
      }
      // That the user agreed does not mean that the page was opened (ELIC-16).
      if (!(await page.visited(AbortSignal.any([task.signal, AbortSignal.timeout(patience)])))) {
        task.signal.throwIfAborted();
        return await task.say("Nobody came.");
      }
      await answer.complete();
      return await task.say("You were there.");
    } finally {
      page.close();
    }
  },
};
