/** Values of PackStream, the encoding of Bolt. Its rule: `docs/bolt.md#protocol`. */

/** A value beyond JSON: its type is a tag, its parts are fields. */
export class Structure {
  readonly tag: number;
  readonly fields: readonly PackValue[];

  constructor(tag: number, fields: readonly PackValue[]) {
    this.tag = tag;
    this.fields = fields;
  }
}

/** A float. Numbers without a fraction are written as integers. */
export class PackFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A value that is made when it is written. So a list that names an object many times does not hold it many times. */
export class DeferredValue {
  readonly make: () => PackValue;

  constructor(make: () => PackValue) {
    this.make = make;
  }
}

export type PackValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | PackFloat
  | Uint8Array
  | Structure
  | DeferredValue
  | readonly PackValue[]
  | PackMap;

export interface PackMap {
  readonly [key: string]: PackValue;
}

export const isPackMap = (value: PackValue | undefined): value is PackMap =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  ![PackFloat, Uint8Array, Structure, DeferredValue].some((type) => value instanceof type);
