import type { Received as Received1 } from "@acp/schema/v1/types";
import type { Received as Received2 } from "@acp/schema/v2/types";

/**
 * A form as clients of either version of the protocol read it: version 1 may leave out its type and its fields, and in
 * version 2 a field may have a format that is not known.
 */
export interface ReceivedForm extends Partial<Received2.ElicitationSchema> {}

/** The request that a question came with, in either version. */
export type ReceivedQuestion = Received1.CreateElicitationRequest | Received2.CreateElicitationRequest;
