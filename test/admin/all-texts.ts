// Every word of the admin: of the shell, and of all screens.
import { globSync } from 'node:fs';
import path from 'node:path';
import type { TextEntry } from '../../src/admin/text/loaded.ts';

export interface TextFile {
  /** Such as `src/admin/text/en-forms.ts`. */
  file: string;
  texts: Readonly<Record<string, TextEntry>>;
}

export const TEXT_FILES: readonly TextFile[] = await Promise.all(
  globSync('src/admin/text/en*.ts').map(async (file) => {
    const [texts] = Object.values(await import(path.resolve(file)));
    return { file, texts: texts as TextFile['texts'] };
  }),
);

export const ALL_TEXTS: TextFile['texts'] = Object.assign({}, ...TEXT_FILES.map(({ texts }) => texts));
