// Runs command lines in this process, on a temporary folder with a configuration and a data folder.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CliPorts } from '../../src/cli/ports.ts';
import { run } from '../../src/cli/run.ts';
import { createPorts } from '../../src/cli/wiring.ts';

export const CONFIG = `export default {
  collections: [
    { name: 'posts', fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'views', type: 'number' },
      { name: 'body', type: 'richtext' },
    ] },
    { name: 'notes', fields: [{ name: 'text', type: 'textarea' }] },
  ],
  locales: ['en', 'da'],
};
`;

export interface Result {
  code: number;
  out: string;
  err: string;
}

export interface Cli extends Disposable {
  folder: string;
  path(...segments: string[]): string;
  write(file: string, content: string): void;
  run(...argv: string[]): Promise<Result>;
  /** The same with one port replaced. */
  runWith(ports: Partial<CliPorts>, ...argv: string[]): Promise<Result>;
}

export function makeCli(): Cli {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-cli-'));
  const inFolder = (...segments: string[]) => path.join(folder, ...segments);
  const cli: Cli = {
    folder,
    path: inFolder,
    write(file, content) {
      fs.mkdirSync(path.dirname(inFolder(file)), { recursive: true });
      fs.writeFileSync(inFolder(file), content);
    },
    run: (...argv) => cli.runWith({}, ...argv),
    async runWith(ports, ...argv) {
      let out = '';
      let err = '';
      const code = await run(argv, {
        ...createPorts(process.env),
        variables: { CMS_DATA_DIR: inFolder('data'), CMS_CONFIG_PATH: inFolder('cms.config.ts') },
        out: (text) => (out += text),
        err: (text) => (err += text),
        isErrTty: false,
        ...ports,
      });
      return { code, out, err };
    },
    [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
  cli.write('cms.config.ts', CONFIG);
  return cli;
}
