/** Share of the principals of each environment that may stay exposed, where no one says another: a plan that gets there is complete. */
export const DEFAULT_GOAL = 0.1;
