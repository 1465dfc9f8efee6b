/** The first bytes of a connection: a client proposes ranges of versions, and the service chooses one. */

const MAGIC = Buffer.from([0x60, 0x60, 0xb0, 0x17]);
const PROPOSALS = 4;
/** Number of bytes of the magic number and the proposals. */
export const HANDSHAKE_BYTES = MAGIC.length + PROPOSALS * 4;

export interface Version {
  readonly major: number;
  readonly minor: number;
}

/** The oldest and the newest supported minor version, keyed by major version. */
const SPOKEN: Readonly<Record<number, { readonly oldest: number; readonly newest: number }>> = {
  5: { oldest: 0, newest: 4 },
  4: { oldest: 4, newest: 4 },
};

/** Whether the bytes can begin a handshake; compares all bytes that have arrived. */
export const isBolt = (bytes: Buffer): boolean => {
  const length = Math.min(bytes.length, MAGIC.length);
  return bytes.subarray(0, length).equals(MAGIC.subarray(0, length));
};

/**
 * Chooses the first proposal with a supported version. Skips a proposal of a manifest (major version 255): clients that send one
 * also propose versions.
 */
export function chooseVersion(handshake: Buffer): Version | undefined {
  for (let at = MAGIC.length; at < HANDSHAKE_BYTES; at += 4) {
    const [, range, minor, major] = handshake.subarray(at, at + 4);
    const spoken = SPOKEN[major];
    if (spoken === undefined) continue;
    const chosen = Math.min(minor, spoken.newest);
    if (chosen >= spoken.oldest && chosen >= minor - range) return { major, minor: chosen };
  }
  return undefined;
}

/** @returns the answer to a handshake; without a version, the connection ends after it */
export const handshakeAnswer = (version: Version | undefined): Buffer =>
  Buffer.from([0, 0, version?.minor ?? 0, version?.major ?? 0]);
