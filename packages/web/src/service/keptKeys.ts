/** Keys of one user's work in the storage of a tab. */

export const DRAFTS = 'clew.draft';
export const QUERIES = 'clew.queries';
export const BASKET = 'clew.basket';
export const PINS = 'clew.pins';
