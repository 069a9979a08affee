/**
 * The half that works without `ai`: shows a UI message stream of any framework in a turn.
 *
 * @module
 */
export { sendUiStream, type UiStream } from "./ui/send-ui-stream.ts";
