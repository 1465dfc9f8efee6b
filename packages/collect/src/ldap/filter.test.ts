import { expect, it } from 'vitest';
import { encodeFilter, escapeFilterValue } from './filter.ts';

const hex = (text: string): string => encodeFilter(text).toString('hex');

it('encodes each kind of comparison as in RFC 4511', () => {
  expect(hex('(cn=a)')).toBe('a3070402636e040161');
  expect(hex('(cn=*)')).toBe('8702636e');
  expect(hex('(cn>=1)')).toBe('a5070402636e040131');
  expect(hex('(cn<=1)')).toBe('a6070402636e040131');
  expect(hex('(cn=a*b*c)')).toBe('a40f0402636e3009800161810162820163');
  expect(hex('(!(cn=a))')).toBe('a209a3070402636e040161');
  expect(hex('(&(cn=*)(|(cn=a)))')).toBe('a00f8702636ea109a3070402636e040161');
  expect(hex('(cn:1.2.3:=8)')).toBe('a90e8105312e322e338202636e830138');
  expect(hex('(cn=\\2a\\c3\\a4)')).toBe('a3090402636e04032ac3a4');
});

it('escapes values that would end a filter or match everything', () => {
  expect(escapeFilterValue('a)(b*\\ä')).toBe('a\\29\\28b\\2a\\5c\\c3\\a4');
  expect(hex(`(cn=${escapeFilterValue('*)(x=1')})`)).toBe('a30c0402636e04062a2928783d31');
});

it.each(['', 'cn=a', '(cn=a', '(cn=a))', '(&(cn=a)', '()', '(cn)', '((cn=a))'])('refuses "%s"', (text) => {
  expect(() => encodeFilter(text)).toThrow('filter');
});
