import type { Theme } from "../row.ts";
import { answers } from "./answers.ts";
import { argumentRules } from "./arguments.ts";
import { cancelling } from "./cancel.ts";
import { ends } from "./ends.ts";
import { envelopes } from "./envelopes.ts";
import { floods } from "./floods.ts";
import { framing } from "./framing.ts";
import { handlers } from "./handlers.ts";
import { ids } from "./ids.ts";
import { json } from "./json.ts";
import { methods } from "./methods.ts";
import { large } from "./large.ts";
import { lifecycle } from "./lifecycle.ts";
import { inheritedNames } from "./names.ts";
import { nesting } from "./nesting.ts";
import { paramsShapes, resultShapes } from "./shapes.ts";
import { text } from "./text.ts";

/** Take more processor time than all others: `npm run test:release` runs them. */
export const heavyThemes: readonly Theme[] = [floods, large];

export const themes: readonly Theme[] = [
  json,
  envelopes,
  ids,
  methods,
  answers,
  cancelling,
  inheritedNames,
  text,
  nesting,
  paramsShapes,
  resultShapes,
  argumentRules,
  handlers,
  framing,
  lifecycle,
  ends,
  ...heavyThemes,
];
