import { describe, expect, it } from 'vitest';
import { attachmentName, attachmentType } from './attachmentType.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const utf16 = (text: string): Uint8Array =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

describe('the type of an attached file', () => {
  it('is recognized by its first bytes', () => {
    expect(attachmentType(bytes('%PDF-1.7\n'))).toBe('application/pdf');
    expect(attachmentType(Buffer.from('89504e470d0a1a0a', 'hex'))).toBe('image/png');
    expect(attachmentType(Buffer.from('ffd8ffe000104a46', 'hex'))).toBe('image/jpeg');
    expect(attachmentType(Buffer.from('504b030414000600', 'hex'))).toBe('application/zip');
  });

  it('is text for UTF-8, and for UTF-16 with its mark', () => {
    for (const text of ['Ticket 1042', '\u{feff}Größe\r\n\t1', '{"a": "<b>"}', 'a < b', '\u001b[1mbold'])
      expect([text, attachmentType(bytes(text)), attachmentType(utf16(text))]).toEqual([
        ...[text, 'text/plain', 'text/plain'],
      ]);
  });

  it('is not accepted for markup, programs, and other bytes', () => {
    for (const text of [
      '<!DOCTYPE html><p>',
      ' \n\t<html><script>alert(1)</script>',
      '\u{feff}<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      '<?xml version="1.0"?><svg/>',
      'harmless\n<ScRiPt>alert(1)</script>',
      'x\u0000y',
      'MZ\u0000\u0001',
    ])
      for (const form of [bytes(text), utf16(text)])
        expect([text, attachmentType(form)]).toEqual([text, undefined]);
    for (const hex of ['', 'ff', 'fffe00', 'c328', '7f454c46', 'ffd8', '504b0506', '47494638'])
      expect([hex, hex === '' ? undefined : attachmentType(Buffer.from(hex, 'hex'))]).toEqual([
        hex,
        hex === '47494638' ? 'text/plain' : undefined,
      ]);
  });
});

describe('the name of an attached file', () => {
  it('is the last part of a path', () => {
    for (const [text, name] of [
      ['../../etc/passwd', 'passwd'],
      ['C:\\Users\\a\\risk.pdf', 'risk.pdf'],
      ['/', 'file'],
      ['..', 'file'],
      ['.htaccess', 'htaccess'],
      ['a\r\nSet-Cookie: x.txt', 'a__Set-Cookie_ x.txt'],
      ['evil\u202efdp.exe', 'evil_fdp.exe'],
      ['a"b', 'a_b'],
      ['x'.repeat(500), 'x'.repeat(200)],
      ['😀'.repeat(500), '😀'.repeat(200)],
      ['\u0000', '_'],
      ['\ud800', '_'],
    ] as const)
      expect([text, attachmentName(text)]).toEqual([text, name]);
  });
});
