/** Default share of the principals of each environment that may stay exposed: a plan that reaches it is complete. */
export const DEFAULT_GOAL = 0.1;
