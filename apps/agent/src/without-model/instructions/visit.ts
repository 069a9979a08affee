import { servePage } from "../tools/page.ts";
import type { Instruction } from "./instruction.ts";

/** How long the user has to open the page, in milliseconds. */
const visitTimeout = 60_000;

export const visit: Instruction = {
  name: "visit",
  aliases: ["url"],
  summary: "Ask you to open a page in your browser",
  async run(_, task) {
    const page = await servePage("Thank you. You can close this page and go back.");
    try {
      const message = "Please open this page. I notice when you have.";
      const answer = await task.askUrl(message, page.url);
      switch (answer.action) {
        case "accept":
          break;
        case "decline":
          return await task.say("You would rather not open it. That is fine.");
        case "cancel":
          return await task.say("You have dismissed the question.");
        case "failed":
          return await task.say(`I could not ask you: ${answer.error.message}`);
      }
      // The user agreed to open the page, but may not have opened it yet (ELIC-16).
      if (!(await page.waitForVisit(AbortSignal.any([task.signal, AbortSignal.timeout(visitTimeout)])))) {
        task.signal.throwIfAborted();
        return await task.say("You have not opened the page in time.");
      }
      await answer.complete();
      return await task.say("You have opened the page.");
    } finally {
      page.close();
    }
  },
};
