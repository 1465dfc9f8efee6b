/** An edge named by its ends. */
export interface EdgeRef {
  readonly start: number;
  readonly kind: number;
  readonly end: number;
}
