import type { Violations } from "./message-checks.ts";
import { isParams, type Params } from "./params.ts";

/** The methods whose results report choices. Extensions may call anything options or modes. */
const telling = /^session\/(?:new|load|resume|fork|set_config_option)$/;

/**
 * Finds what is wrong with the choices that a message of the agent reports: a value that its option does not have
 * (CONF-11), or a mode that is not in its list (MODE-05). The schema cannot express that.
 */
export function checkCurrentValues(method: string, body: unknown): Violations {
  if (!isParams(body)) return [];
  if (telling.test(method)) return valuesIn(body, "");
  const { update } = body;
  const isTold = method === "session/update" && isParams(update) && update["sessionUpdate"] === "config_option_update";
  return isTold ? valuesIn(update, "/update") : [];
}

function valuesIn(holder: Params, path: string): Violations {
  const violations = listIn(holder["configOptions"]).flatMap((option, index) => {
    const values = valuesOf(option);
    if (values === undefined || values.includes(option["currentValue"])) return [];
    return [
      { path: `${path}/configOptions/${index}/currentValue`, reason: "is no value that the option has (CONF-11)" },
    ];
  });
  const { modes } = holder;
  if (isParams(modes) && !listIn(modes["availableModes"]).some(({ id }) => id === modes["currentModeId"])) {
    violations.push({ path: `${path}/modes/currentModeId`, reason: "names no mode of the session (MODE-05)" });
  }
  return violations;
}

/** The values of an option to select from, in groups or not; `undefined` for an option of another type. */
function valuesOf(option: Params): readonly unknown[] | undefined {
  if (option["type"] !== "select") return undefined;
  const items = listIn(option["options"]);
  return items.flatMap((item) => ("options" in item ? listIn(item["options"]) : [item])).map((item) => item["value"]);
}

/** The objects of a list. */
function listIn(value: unknown): readonly Params[] {
  return Array.isArray(value) ? value.filter(isParams) : [];
}
