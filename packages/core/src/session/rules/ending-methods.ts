/** The methods that end a session: to archive one closes it as well. An agent without archives has no such handler. */
export const endsSession: RegExp = /^session\/(close|delete|archive)$/;
