/** The web interface in a real browser, against a real service with real data. Tests of one topic are in `testing/`. */
import { testDrawing } from './testing/webDrawing.ts';
import { testExplore } from './testing/webExplore.ts';
import { testPoints } from './testing/webPoints.ts';
import { describeWeb } from './testing/webTest.ts';

describeWeb('Explore', (running) => {
  testExplore(running);
  testDrawing(running);
  testPoints(running);
});
