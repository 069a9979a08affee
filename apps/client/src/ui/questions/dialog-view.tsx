import type { ReactNode } from "react";

import type { OpenDialog } from "./dialog-for.ts";
import { PermissionView } from "./permission-view.tsx";

/** Draws the open dialog into this many rows. */
export function DialogView(props: {
  readonly dialog: OpenDialog;
  readonly width: number;
  readonly height: number;
}): ReactNode {
  return <PermissionView {...props} />;
}
