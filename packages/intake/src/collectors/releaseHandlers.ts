/** Downloads of collectors, by type and version, and the catalogs ("kennel") that interfaces show. */
import type { KennelVersions } from '@clew/api';
import { apiError, fileAnswer, type Handlers } from '@clew/common';
import { type Release, type Releases, streamOf, versionParts } from './releases.ts';

type Operations =
  | 'GetCollectorManifest'
  | 'DownloadCollector'
  | 'GetCollectorChecksum'
  | 'GetKennelManifest'
  | 'GetKennelEnterpriseManifest'
  | 'GetKennelAsset';

interface ReleasePath {
  readonly collector_type: string;
  readonly release_tag: string;
}

export function releaseHandlers(releases: Releases): Handlers<Operations> {
  /**
   * @throws ApiError 404 if there are no releases, because an empty list would mean that such collectors do not
   * exist
   */
  async function releasesOf(collector: string): Promise<readonly [Release, ...Release[]]> {
    const [first, ...rest] = (await releases.list()).filter((release) => release.collector === collector);
    if (first === undefined) throw apiError('noCollectors');
    return [first, ...rest];
  }

  async function find({ collector_type, release_tag }: ReleasePath): Promise<Release> {
    const all = await releasesOf(collector_type);
    const tag = release_tag.toLowerCase();
    const version = tag === 'latest' ? all[0].version : tag.startsWith('v') ? tag : `v${tag}`;
    const fitting = all.filter((release) => release.version === version);
    // The platform-independent file, or else the first one.
    const found = fitting.find(({ os }) => os === '') ?? fitting[0];
    if (found !== undefined) return found;
    throw apiError('unknownRelease', {
      release: release_tag.slice(0, 100),
      releases: versionsOf(all).join(', '),
    });
  }

  async function catalog(collector: string): Promise<KennelVersions> {
    const all = (await releases.list()).filter((release) => release.collector === collector);
    return versionsOf(all).map((version) => {
      const assets = all.filter((release) => release.version === version);
      return {
        version,
        version_meta: versionParts(version),
        release_date: assets[0].placedAt,
        release_assets: assets.map(({ fileName, os, arch }) => ({
          name: fileName,
          download_url: `/api/v2/kennel/download/${fileName}`,
          checksum_download_url: `/api/v2/kennel/download/${fileName}.sha256`,
          os,
          arch,
        })),
      };
    });
  }

  return {
    async GetCollectorManifest({ params }) {
      const all = await releasesOf(params.collector_type);
      const versions = versionsOf(all).map((version) => ({
        version,
        sha256sum: all.find((release) => release.version === version)?.sha256 ?? '',
        deprecated: false,
      }));
      return { status: 200, json: { data: { latest: all[0].version, versions } } };
    },

    async DownloadCollector({ params }) {
      return download(await find(params), 'application/zip');
    },

    async GetCollectorChecksum({ params }) {
      return { status: 200, text: checksum(await find(params)), mediaType: 'text/plain' };
    },

    async GetKennelManifest() {
      const [sharphound, azurehound] = [await catalog('sharphound'), await catalog('azurehound')];
      if (sharphound.length + azurehound.length === 0) throw apiError('noCollectors');
      return { status: 200, json: { data: { sharphound, azurehound } } };
    },

    async GetKennelEnterpriseManifest() {
      const [sharphound_enterprise, azurehound_enterprise] = [
        await catalog('sharphound-enterprise'),
        await catalog('azurehound-enterprise'),
      ];
      if (sharphound_enterprise.length + azurehound_enterprise.length === 0) throw apiError('noCollectors');
      return { status: 200, json: { data: { sharphound_enterprise, azurehound_enterprise } } };
    },

    async GetKennelAsset({ params }) {
      const wanted = params.asset_name.replace(/\.sha256$/, '');
      // Compared with the file names in the directory, and never used as a path.
      const found = (await releases.list()).find(({ fileName }) => fileName === wanted);
      if (found === undefined) throw apiError('resourceNotFound');
      if (wanted !== params.asset_name)
        return { status: 200, text: checksum(found), mediaType: 'application/octet-stream' };
      return download(found);
    },
  };
}

/** @param all releases, the newest first */
const versionsOf = (all: readonly Release[]): string[] => [...new Set(all.map(({ version }) => version))];

const checksum = ({ sha256, fileName }: Release): string => `${sha256}  ${fileName}\n`;

const download = ({ path, fileName, size }: Release, mediaType?: string) =>
  fileAnswer({ name: fileName, mediaType, content: { stream: streamOf(path), size } });
