/** Passwords that people type once. */
import { randomInt } from 'node:crypto';

/** No letters or digits that look similar. 24 of them hold 139 bits. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 24;

export function generatedPassword(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
