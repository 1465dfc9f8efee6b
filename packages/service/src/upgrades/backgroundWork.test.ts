import { expect, it } from 'vitest';
import { BackgroundWork } from './backgroundWork.ts';

/** Work whose ends are recorded, and which ends only when it may. */
function recorded() {
  const events: string[] = [];
  const mayEnd = Promise.withResolvers<void>();
  let starts = 0;
  const worker = {
    async pause() {
      events.push('worker pauses');
    },
    resume: () => void events.push('worker resumes'),
  };
  const part = (name: string, end: () => Promise<void>) => ({
    async stop() {
      events.push(`${name} stops`);
      await end();
      events.push(`${name} has stopped`);
    },
  });
  const work = new BackgroundWork(worker, () => {
    starts++;
    events.push(`start ${starts}`);
    return [part('quick', async () => {}), part('slow', () => mayEnd.promise)];
  });
  return { work, events, mayEnd };
}

it('a pause ends when all work has ended, and everything starts again once', async () => {
  const { work, events, mayEnd } = recorded();
  let isPaused = false;
  const pausing = work.pause().then(() => {
    isPaused = true;
  });
  const resuming = Promise.all([work.resume(), work.resume()]);
  await new Promise((resolve) => setImmediate(resolve));
  expect([isPaused, events]).toEqual([
    false,
    ['start 1', 'worker pauses', 'quick stops', 'slow stops', 'quick has stopped'],
  ]);
  mayEnd.resolve();
  await Promise.all([pausing, resuming]);
  expect(events.slice(5)).toEqual(['slow has stopped', 'worker resumes', 'start 2']);
});

it('work that was stopped does not start again', async () => {
  const { work, events, mayEnd } = recorded();
  mayEnd.resolve();
  const pausing = work.pause();
  const stopping = work.stop();
  await Promise.all([pausing, stopping, work.resume()]);
  await work.resume();
  expect(events.filter((event) => event.startsWith('start') || event === 'worker resumes')).toEqual([
    'start 1',
  ]);
});

it('work that fails to end does not keep other work from ending, or from starting again', async () => {
  const stopped: string[] = [];
  let starts = 0;
  const work = new BackgroundWork({ pause: async () => {}, resume() {} }, () => {
    starts++;
    return ['first', 'second', 'third'].map((name) => ({
      async stop() {
        if (name === 'second' && starts === 1) throw new Error('it cannot end');
        stopped.push(name);
      },
    }));
  });
  await expect(work.pause()).rejects.toThrow('it cannot end');
  expect(stopped).toEqual(['first', 'third']);
  await work.resume();
  await work.stop();
  expect([starts, stopped.slice(2)]).toEqual([2, ['first', 'second', 'third']]);
});
