/** How a piece of text looks: a terminal and a page each know these roles. */
export type Format =
  | "blue"
  | "bold"
  | "cyan"
  | "dim"
  | "green"
  | "inverse"
  | "italic"
  | "magenta"
  | "red"
  | "strikethrough"
  | "underline"
  | "yellow"
  /** A colour of a command's output: the parameters of its escape sequence, such as `fg 38;5;208`. */
  | `${"fg" | "bg"} ${string}`;
