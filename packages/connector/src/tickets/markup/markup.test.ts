/** Names in the markup of each system: unchanged, and not interpreted. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitted, plainLine, writeBlocks } from '../blocks.ts';
import { adfDocument } from './adf.ts';
import { HTML } from './html.ts';
import { codeSpan, MARKDOWN } from './markdown.ts';
import { entities, WIKI } from './wiki.ts';

/** Characters that are special in some markup, and samples of all others. */
const HOSTILE = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '`',
          '``',
          '@',
          '@everyone',
          '<',
          '>',
          '&',
          '&lt;',
          '*',
          '_',
          '~',
          '#1',
          '[',
          ']',
          '(',
          ')',
          '{',
          '}',
        ],
        ...[
          '|',
          '\\',
          '!',
          '-',
          ':',
          '\n',
          '\r\n',
          '\u2028',
          '\u202e',
          '\u0000',
          '\ud800',
          '<!channel>',
          '[code]',
        ],
        ...['{html}', '{noformat}', '[~admin]', '<at>', '<!-- -->', 'http://evil.example', '"', "'", ' '],
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const RUNS = { numRuns: 1000 * Number(process.env.CLEW_TEST_RUNS ?? 1) };

describe('a line of text', () => {
  it('has no control and direction marks, no breaks, and a length', () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        expect(plainLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
        expect(plainLine(text).isWellFormed()).toBe(true);
        const short = plainLine(text, 10);
        expect([short.length <= 10, short.isWellFormed()]).toEqual([true, true]);
      }),
      RUNS,
    );
    expect(plainLine('123456😀890', 10)).toBe('123456...');
    expect(plainLine('a\u3164\u200bb\u0085c')).toBe('ab c');
  });
});

describe('Markdown', () => {
  /** CommonMark 6.1: a span ends at the first run of as many backquotes; readers remove one blank at both ends. */
  const read = (text: string): string | undefined => {
    const [fence = ''] = /^`+/.exec(text) ?? [];
    const inner = text.slice(fence.length, -fence.length);
    if (fence === '' || !text.endsWith(fence)) return undefined;
    if ([...inner.matchAll(/`+/g)].some(([run]) => run.length === fence.length)) return undefined;
    // A backquote next to a fence would lengthen it.
    if (inner.startsWith('`') || inner.endsWith('`')) return undefined;
    return /^ .* $/.test(inner) && inner.trim() !== '' ? inner.slice(1, -1) : inner;
  };

  it('has names in code spans, which nothing in them ends', () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        const line = plainLine(text);
        if (line !== '') expect(read(codeSpan(line))).toBe(line);
      }),
      RUNS,
    );
  });

  it('has constant text and addresses next to them', () => {
    expect(
      writeBlocks(
        [
          { heading: 'Steps' },
          { list: [['Change: ', { quoted: '``a` @b' }], [{ link: 'https://x/ui', words: 'Open' }]] },
        ],
        MARKDOWN,
      ),
    ).toBe('### Steps\n\n- Change: ``` ``a` @b ```\n- [Open](<https://x/ui>)');
  });
});

describe('wiki markup', () => {
  it('has names of letters, blanks and entities, which read back as they are', () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        const line = plainLine(text);
        const written = entities(line);
        expect(written.replaceAll(/&#\d+;/g, '')).not.toMatch(/[!-/:-@[-`{-~]/);
        expect(written.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))).toBe(line);
      }),
      RUNS,
    );
    expect(writeBlocks([{ list: [[{ quoted: '[~admin] {code}' }]] }, { heading: 'A' }], WIKI)).toBe(
      '* &#91;&#126;admin&#93; &#123;code&#125;\n\nh3. A',
    );
  });
});

describe('HTML', () => {
  it('has names that begin no element and no entity, and read back as they are', () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        const line = plainLine(text);
        const written = writeBlocks([{ paragraph: [{ quoted: text }] }], HTML);
        const inner = written.slice('<p>'.length, -'</p>'.length);
        expect(inner).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
        const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
        expect(inner.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, sign) => signs[sign] ?? '')).toBe(line);
      }),
      RUNS,
    );
    expect(
      writeBlocks([{ list: [[{ link: 'https://x/?a="&b', words: 'Open' }]] }, { heading: 'A' }], HTML),
    ).toBe('<ul><li><a href="https://x/?a=&quot;&amp;b">Open</a></li></ul>\n<h3>A</h3>');
  });
});

describe('documents of Jira', () => {
  it('have names in nodes of text without marks, and no empty ones', () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        const line = plainLine(text);
        const [paragraph, mark] = adfDocument([{ paragraph: [{ quoted: text }] }], 'key')
          .content as unknown[];
        expect(paragraph).toEqual({
          type: 'paragraph',
          content: line === '' ? [] : [{ type: 'text', text: line }],
        });
        expect(mark).toEqual({ type: 'paragraph', content: [{ type: 'text', text: 'key' }] });
      }),
      RUNS,
    );
  });
});

describe('a text that is too long', () => {
  it('loses the last items of its longest list, and says how many', () => {
    const long = 'x'.repeat(100);
    const blocks = [{ heading: 'A' }, { list: [['1'], [long], [long]] }, { list: [['x']] }];
    const sizeOf = (some: typeof blocks | readonly unknown[]) => JSON.stringify(some).length;
    const kept = fitted(blocks, sizeOf, sizeOf(blocks) - 130);
    const left = (count: number) => ({ paragraph: [`${count} more are on the page of the repair.`] });
    expect(kept).toEqual([{ heading: 'A' }, { list: [['1']] }, left(2), { list: [['x']] }]);
    expect(fitted(blocks, sizeOf, 0)).toEqual([{ heading: 'A' }, left(3), left(1)]);
  });
});
