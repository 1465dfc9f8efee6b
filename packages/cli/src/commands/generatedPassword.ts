/** Generates passwords that users type once. */
import { randomInt } from 'node:crypto';

/** Without letters and digits that look similar. 24 of them have 139 bits. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 24;

export function generatedPassword(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
