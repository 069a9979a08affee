import type { ConfiguredModels } from "../../model/models.ts";
import type { CoderSession } from "../session/coder-session.ts";
import { effortsOf } from "./choices.ts";
import { changeSetting } from "./session-settings.ts";

/** Takes over what the user has chosen, and saves it. Returns whether there are other efforts to choose from now, those of another model. */
export async function takeSetting(
  models: ConfiguredModels,
  { settings, stored }: Pick<CoderSession, "settings" | "stored">,
  id: string,
  value: unknown,
): Promise<boolean> {
  const before = effortsOf(models, settings);
  changeSetting(models, settings, id, value);
  await stored.append({ type: "settings", settings });
  return effortsOf(models, settings) !== before;
}
