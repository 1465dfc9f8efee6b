/** Writes each file a second and a third time, compressed: the service sends them as they are. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(?:js|css|html|svg)$/;
/** The page is changed by the service before it is sent. */
const IS_PAGE = /\.html$/;
const BROTLI_QUALITY = 9;

export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (!COMPRESSIBLE.test(file.fileName) || IS_PAGE.test(file.fileName)) continue;
          const source = file.type === 'chunk' ? file.code : file.source;
          const bytes = typeof source === 'string' ? Buffer.from(source) : Buffer.from(source);
          const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
          this.emitFile({
            type: 'asset',
            fileName: `${file.fileName}.br`,
            source: brotliCompressSync(bytes, { params }),
          });
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(bytes) });
        }
      },
    },
  };
}
