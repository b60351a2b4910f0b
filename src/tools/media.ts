// Tools of the media library. A file comes as base64 in the call: no tool fetches an address.
import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { invalid, toStorageError } from '../lib/errors.ts';
import type { MediaFile } from '../media/media.ts';
import { ADDS, defineTool, input, present, READS } from './define.ts';
import { PageLimit, PageOffset } from './input.ts';
import { nextPage, pageOutput } from './output.ts';
import type { Tool } from './tool.ts';
import type { ToolParts } from './tool-site.ts';
import { writerOf } from './writer.ts';

const TYPES = ['image', 'audio', 'document', 'svg'] as const;
const FileOutput = z.looseObject({ slug: z.string(), url: z.string() });
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function mediaTools({ site, mediaUrl }: ToolParts): Tool[] {
  const toShown = ({ slug, name, type, alt, tags, width, height, sizeBytes }: MediaFile) =>
    present({ slug, url: mediaUrl(slug), name, type, alt, tags, width, height, size: sizeBytes });

  return [
    defineTool({
      name: 'list_media',
      title: 'List media',
      description: 'A page of media files, newest first, with the address to use in documents.',
      input: input({
        q: z.string().max(1000).optional().describe('words of name, alt text and tags'),
        type: z.enum(TYPES).optional(),
        folder: z.string().max(500).optional(),
        limit: PageLimit,
        offset: PageOffset,
      }),
      output: pageOutput('files'),
      permissions: ['media:read'],
      effect: 'none',
      reads: 'others',
      annotations: READS,
      async run(given) {
        const query = present(given);
        const { files, total } = await site.media.list(query);
        return { files: files.map(toShown), total, ...nextPage(query.offset, files.length, total) };
      },
    }),
    defineTool({
      name: 'upload_media',
      title: 'Upload media',
      description: 'Stores a file of at most 700 KB and returns its address. The same bytes are the same file.',
      input: input({
        name: z.string().min(1).max(200).describe('such as photo.jpg'),
        base64: z.string().min(1),
        folder: z.string().min(1).max(500).optional(),
        alt: z.string().max(2000).optional(),
      }),
      output: z.looseObject({ file: FileOutput }),
      permissions: ['media:write'],
      effect: 'upload',
      reads: 'others',
      annotations: { ...ADDS, idempotentHint: true },
      async run({ name, base64, folder, alt }, caller) {
        const bytes = decode(base64);
        const { actor } = writerOf(caller);
        const place = await site.media.receive();
        try {
          const file = path.join(place.folder, 'upload');
          await writeFile(file, bytes, { flag: 'wx' }).catch((error: unknown) => {
            throw toStorageError(error);
          });
          const received = { path: file, name, sha256: hash('sha256', bytes), sizeBytes: bytes.length };
          const uploaded = await site.media.upload(received, present({ folder, alt }), actor);
          return { file: toShown(uploaded.file) };
        } finally {
          await place.end();
        }
      },
    }),
  ];
}

function decode(base64: string): Buffer {
  const plain = base64.replace(/\s/g, '');
  if (plain.length % 4 === 1 || !BASE64.test(plain)) throw invalid([{ path: 'base64', message: 'is not base64' }]);
  return Buffer.from(plain, 'base64');
}
