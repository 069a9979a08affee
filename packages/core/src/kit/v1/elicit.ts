import type { ElicitationPropertySchema, ElicitationSchema } from "@acp/schema/v1/types";
import * as shared from "../shared/elicit.ts";
import type { FormSchemaOf, Readable } from "../shared/inferred-types.ts";
import type { AnyTurn } from "./any-session.ts";

/** One field of a form. */
export type FormField = Readable<ElicitationPropertySchema>;

/** A form: its fields, and which of them are required (ELIC-06). The toolkit adds the `type`. */
export type FormSchema = FormSchemaOf<ElicitationSchema, FormField>;

/**
 * Asks the user to fill in a form. The type of the content follows from the schema. If the content does not fit the
 * schema, the outcome is `failed` (ELIC-07), whatever the client has checked.
 *
 * ```ts
 * const answer = await elicitForm(turn, {
 *   message: "Where to?",
 *   schema: { properties: { stage: { type: "string", enum: ["test", "live"] } }, required: ["stage"] },
 * });
 * if (answer.action === "accept") await deploy(answer.content.stage);
 * ```
 *
 * Pass the turn that the question belongs to. Outside a turn, pass the context of the handler, for example
 * `elicitForm(context, …)` in `authenticate` (ELIC-05).
 *
 * @throws {UsageError} `required` names something that is not a field, or the turn has ended; nothing was sent.
 * @throws the reason of the signal of the turn or request if it is cancelled.
 */
export const elicitForm: <const S extends FormSchema>(
  asker: AnyTurn | shared.ElicitationRequest,
  options: shared.ElicitFormOptions<S>,
) => Promise<shared.FormAnswer<S>> = shared.elicitForm;
