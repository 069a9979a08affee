// What agents ask with. It needs the toolkit, which is loaded after the first frame.
export { FormDialog } from "./forms/form-dialog.ts";
export { loginDialog, permissionDialog, urlDialog } from "./question-dialogs.ts";
