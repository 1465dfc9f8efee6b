/** Prevents the start of Clew in a way that an operator can fix: the message explains how, and contains no secret. */
export class StartError extends Error {}
