import type { ClientCheck } from "../client-context.ts";
import { cancelling } from "./cancelling.ts";
import { clientMethods } from "./client-methods.ts";
import { dying } from "./dying.ts";
import { ending } from "./ending.ts";
import { initializing } from "./initializing.ts";
import { jsonRpc } from "./json-rpc.ts";
import { lateText } from "./late-text.ts";
import { noise } from "./noise.ts";
import { oddAnswers } from "./odd-answers.ts";
import { oddUpdates } from "./odd-updates.ts";
import { pieces } from "./pieces.ts";
import { questions } from "./questions.ts";
import { sessions } from "./sessions.ts";
import { texts } from "./texts.ts";

/** All checks of clients, in the order of reports. */
export const clientChecks: readonly ClientCheck[] = [
  ...initializing,
  ...sessions,
  ...jsonRpc,
  ...clientMethods,
  ...questions,
  ...cancelling,
  ...ending,
  ...lateText,
  ...noise,
  ...pieces,
  ...oddUpdates,
  ...oddAnswers,
  ...texts,
  ...dying,
];
