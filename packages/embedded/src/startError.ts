/** Keeps Clew from starting, and a person can act on it: the message says what to do, and holds no secret. */
export class StartError extends Error {}
