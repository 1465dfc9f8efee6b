import { expect, it } from 'vitest';
import { readChosen } from './definitionFile.ts';

const file = (text: string, name = 'x.json') => new File([text], name);

it('a definition and an archive are read as what they are, whatever their names', async () => {
  expect(await readChosen(file('{"schema":{"name":"A"}}'))).toMatchObject({
    ...{ fileName: 'x.json', content: { body: { schema: { name: 'A' } } } },
  });
  const archive = file('PK\u0003\u0004', 'bundle.json');
  expect((await readChosen(archive)).content).toEqual({ archive });
});

it('another key comes with each reading, so that a changed file is asked about again', async () => {
  const [one, two] = [await readChosen(file('{"schema":{}}')), await readChosen(file('{"schema":{}}'))];
  expect(one.key).not.toBe(two.key);
});

it('a file that is not a definition is said to be none', async () => {
  await expect(readChosen(file('{'))).rejects.toThrow('neither JSON nor a zip archive');
  await expect(readChosen(file('[]'))).rejects.toThrow('no "schema"');
  await expect(readChosen(file(' '.repeat(11 * 1024 * 1024)))).rejects.toThrow('too large');
});
