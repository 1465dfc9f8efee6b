/** A set of aspects as the halves of an int8, bit n for aspect n. OpenGraph aspects, from 62 on, have no bit. */

export const FIRST_WITHOUT_BIT = 62;

export class AspectBits {
  high = 0;
  low = 0;

  add(aspect: number): void {
    if (aspect < 32) this.low |= 1 << aspect;
    else if (aspect < FIRST_WITHOUT_BIT) this.high |= 1 << (aspect - 32);
  }
}

export const NO_ASPECTS: Readonly<AspectBits> = new AspectBits();
