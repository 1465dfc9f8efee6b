import { expect, it } from 'vitest';
import { deviceName } from './deviceName.ts';

const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${KIT} HeadlessChrome/156.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/140.0 Safari/537.36 Edg/140.0`,
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.1; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on macOS'],
  [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${KIT} Chrome/140.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
    'Safari on iOS',
  ],
  ['clew-cli', 'clew-cli'],
  ['Mozilla/5.0 (compatible; something)', 'Mozilla/5.0 (compatible; something)'],
])('%s: %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
