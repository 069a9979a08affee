import type { ElicitationPropertySchema, ElicitationSchema } from "@acp/schema/v1/types";
import * as shared from "../shared/elicit.ts";
import type { FormSchemaOf, Readable } from "../shared/inferred-types.ts";
import type { AnyTurn } from "./any-session.ts";

/** One field of a form. */
export type FormField = Readable<ElicitationPropertySchema>;

/** A form: its fields, and which of them are required (ELIC-06). Its `type` is added for you. */
export type FormSchema = FormSchemaOf<ElicitationSchema, FormField>;

/**
 * Asks the user to fill in a form. The type of the content follows from the schema. Content that does not fit the schema
 * makes the answer `failed` (ELIC-07), whatever the client has checked.
 *
 * ```ts
 * const answer = await elicitForm(turn, {
 *   message: "Where to?",
 *   schema: { properties: { stage: { type: "string", enum: ["test", "live"] } }, required: ["stage"] },
 * });
 * if (answer.action === "accept") await deploy(answer.content.stage);
 * ```
 *
 * Pass the turn that the question belongs to. Without a turn, pass the context of the handler that asks:
 * `elicitForm(context, …)` in `authenticate`, for example (ELIC-05).
 *
 * @throws {UsageError} `required` names no field, or the turn has been answered; nothing was sent.
 * @throws the reason of the signal of turn or request, if that is cancelled meanwhile.
 */
export const elicitForm: <const S extends FormSchema>(
  asker: AnyTurn | shared.ElicitationRequest,
  options: shared.ElicitFormOptions<S>,
) => Promise<shared.FormAnswer<S>> = shared.elicitForm;
