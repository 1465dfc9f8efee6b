import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { dispositionOf, fileAnswer } from './fileAnswer.ts';

it('quotes names of files in the header', () => {
  expect(dispositionOf("Größe 'a' (1)%.txt")).toBe(
    `attachment; filename="Gr__e 'a' (1)_.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%27a%27%20%281%29%25.txt`,
  );
  expect(dispositionOf('a"\\b\r\nSet-Cookie: x')).toBe(
    `attachment; filename="a__b__Set-Cookie: x"; filename*=UTF-8''a%22%5Cb%0D%0ASet-Cookie%3A%20x`,
  );
  expect(dispositionOf('\ud800')).toBe(`attachment; filename="_"; filename*=UTF-8''%EF%BF%BD`);
  expect(dispositionOf('kit.zip')).toBe('attachment; filename="kit.zip"');
});

it('answers bytes and streams with their size, as bytes of any type by default', async () => {
  const bytes = Buffer.from('größe');
  const size = bytes.length;
  const whole = fileAnswer({ name: 'a.txt', content: bytes });
  const streamed = fileAnswer({
    ...{ name: 'a.zip', mediaType: 'application/zip' },
    content: { stream: Readable.from([bytes]), size },
  });
  expect([whole.mediaType, streamed.mediaType]).toEqual(['application/octet-stream', 'application/zip']);
  for (const { stream, headers } of [whole, streamed]) {
    expect(Buffer.concat(await stream.toArray())).toEqual(bytes);
    expect(headers['content-length']).toBe(String(size));
  }
});
