// The thread that writes the files of a build, while pages are made: making a folder and a file takes as long as a page.
import { parentPort, workerData } from 'node:worker_threads';
import type { WriteNews, WriteOrder } from './staged-files.ts';
import { createFileWriter } from './write-files.ts';

const writer = createFileWriter((workerData as { staging: string }).staging);

parentPort?.on('message', ({ files }: WriteOrder) => {
  let news: WriteNews = { bytes: 0 };
  try {
    for (const { file, bytes } of files) {
      writer.write(file, bytes);
      news.bytes += bytes.length;
    }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    news = { bytes: 0, error: { message, code } };
  }
  parentPort?.postMessage(news);
});
