/** `npm run tour`: prints the page `docs/tour.md` for the present code. */
import { join } from 'node:path';
import { tourPage } from './tour/tourPage.ts';

console.log(tourPage(join(import.meta.dirname, '..')));
