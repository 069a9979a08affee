/** The command line is wrong; the message says why and what to do. */
export class CommandLineError extends Error {
  /** The help of the option that is wrong. */
  readonly help: string | undefined;

  constructor(message: string, help?: string) {
    super(message);
    this.help = help;
  }
}
