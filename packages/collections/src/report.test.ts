import type { ReadIssue } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { ReportWriter } from './report.ts';

const issue = (severity: ReadIssue['severity'], reason: string, index = 0): ReadIssue => ({
  ...{ severity, reason, index, offset: 0 },
});

describe('the report of a file', () => {
  it('counts each object by its worst outcome, in any order', () => {
    const writer = new ReportWriter('x', 100);
    const [note, repaired, rejected] = (['note', 'repaired', 'rejected'] as const).map((severity) =>
      issue(severity, severity),
    );
    expect(writer.count([])).toBe('read');
    expect(writer.count([note])).toBe('read');
    expect(writer.count([repaired, note])).toBe('repaired');
    expect(writer.count([repaired, rejected])).toBe('rejected');
    expect(writer.count([rejected, repaired])).toBe('rejected');
    expect(writer.report().objects).toEqual({ read: 2, repaired: 1, rejected: 2 });
  });

  it('keeps a shared issue once, with the number of objects, and each rejected object', () => {
    const writer = new ReportWriter('x', 100);
    for (let index = 0; index < 3; index++) writer.add(issue('repaired', 'same', index));
    writer.add(issue('note', 'same'));
    for (let index = 0; index < 2; index++) writer.add(issue('rejected', 'same', index));
    const { issues, issuesOmitted } = writer.report();
    expect(issues.map(({ severity, count, index }) => [severity, count, index])).toEqual([
      ['repaired', 3, 0],
      ['note', undefined, 0],
      ['rejected', undefined, 0],
      ['rejected', undefined, 1],
    ]);
    expect(issuesOmitted).toBe(0);
  });

  it('keeps issues up to the limit, counts the others, and keeps counting the kept ones', () => {
    const writer = new ReportWriter('x', 2);
    for (const reason of ['a', 'b', 'c', 'c', 'a']) writer.add(issue('repaired', reason));
    const { issues, issuesOmitted } = writer.report();
    expect(issues.map(({ reason, count }) => [reason, count])).toEqual([
      ['a', 2],
      ['b', undefined],
    ]);
    expect(issuesOmitted).toBe(2);
  });

  it('keeps the first fault', () => {
    const writer = new ReportWriter('x', 2);
    expect(writer.report().fault).toBeUndefined();
    const [first, second] = [
      { code: 'truncated', message: 'first', offset: 1 },
      { code: 'truncated', message: 'second', offset: 2 },
    ] as const;
    writer.fail(first as never);
    writer.fail(second as never);
    expect(writer.report().fault).toBe(first);
  });

  it('is a copy that further reading does not change', () => {
    const writer = new ReportWriter('x', 2);
    const before = writer.report();
    writer.count([issue('repaired', 'a')]);
    expect([before.issues, before.objects.repaired]).toEqual([[], 0]);
  });
});
