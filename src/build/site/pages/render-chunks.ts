// What the second thread of a build does: the same site from the same documents, and some of its pages.
import { nodeDisk } from '../../../store/disk/disk.ts';
import { createOdb } from '../../../store/repository/odb.ts';
import { openSiteTheme } from '../open-site-theme.ts';
import { createLists } from '../plan/lists.ts';
import { createSiteMap } from '../plan/site-map.ts';
import { makeSearch } from '../put-search.ts';
import { createDocumentReader } from '../read/document-reader.ts';
import { createLibrary } from '../read/library.ts';
import type { MadeFile } from '../write/file-list.ts';
import { createStagedFiles, toMadeFile } from '../write/staged-files.ts';
import { createPageMaker } from './page-maker.ts';
import { createRecorder } from './recorder.ts';
import { type RenderedPage, type RenderNews, type RenderOrder, takeChunk } from './render-order.ts';
import { createRenderer } from './renderer.ts';

export async function renderChunks(work: RenderOrder, send: (news: RenderNews) => void): Promise<void> {
  const { order, tree, shown, pages, next, staging } = work;
  const odb = createOdb(nodeDisk, order.repository);
  const site = createSiteMap(order.config, shown);
  const library = createLibrary(odb, tree, order.mediaFolder);
  const opaque = new Set(work.opaque);
  const recorder = createRecorder();
  const reader = createDocumentReader(odb);
  const { render } = createRenderer({
    order,
    reader,
    site,
    lists: createLists(site),
    theme: await openSiteTheme(order),
    library,
    recorder,
    isOpaque: (slug) => opaque.has(library.find(slug)?.sha256 ?? ''),
  });
  const maker = createPageMaker({ site, recorder, render });
  const staged = createStagedFiles(staging);
  if (work.withSearch) {
    const search = [...makeSearch({ config: order.config, site, reader })].map(([file, text]): [string, MadeFile] => {
      const bytes = Buffer.from(text, 'utf8');
      staged.write(file, bytes);
      return [file, toMadeFile(bytes)];
    });
    send({ search });
  }
  const numbers = new Map<string, number>();
  for (let chunk = takeChunk(next, pages.length); chunk; chunk = takeChunk(next, pages.length)) {
    const names: string[] = [];
    const made: RenderedPage[] = [];
    const problems: string[] = [];
    const numberOf = (name: string): number => {
      const known = numbers.get(name);
      if (known !== undefined) return known;
      names.push(name);
      numbers.set(name, numbers.size);
      return numbers.size - 1;
    };
    for (const at of chunk) {
      const page = pages[at]!;
      const result = maker.make(page);
      if ('problem' in result) problems.push(result.problem);
      else {
        staged.write(page.file, result.bytes);
        made.push({
          at,
          facts: Int32Array.from(result.facts, numberOf),
          media: result.media,
          ...toMadeFile(result.bytes),
        });
      }
    }
    send({ names, pages: made, problems });
    // Every page has the same problem, as a rule.
    if (problems.length === chunk.length) break;
  }
  odb.close();
}
