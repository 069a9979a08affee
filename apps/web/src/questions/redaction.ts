export { redactVariable } from "@acp/record";
